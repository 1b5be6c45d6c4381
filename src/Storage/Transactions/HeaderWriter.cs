using Raven.Storage.Errors;
using Raven.Storage.Paging;

namespace Raven.Storage.Transactions;

/// <summary>
/// Writes the header of the data file: the state that recovery begins with. A header that failed may be on the medium
/// in part, so nothing is acknowledged after it. Any thread.
/// </summary>
internal sealed class HeaderWriter(DataFile data, FaultLatch faults)
{
    private readonly Lock _lock = new();

    internal void Write(in CommitPoint point)
    {
        lock (_lock)
        {
            try
            {
                data.WriteHeader(point);
            }
            catch (Exception failure)
            {
                faults.Trip(failure);
                throw;
            }
        }
    }
}

using System.Runtime.CompilerServices;
using Raven.Documents;
using Raven.Documents.Catalog;

namespace Raven.Server.Http.Studio;

/// <summary>
/// How many bytes databases have on disk. All of a database's files are looked at for it, so the size is kept for a
/// while: whoever asks more often, and however many ask, it is looked for once in that time. Safe for all threads.
/// </summary>
internal sealed class DatabaseSizes(DatabaseCatalog databases, TimeProvider clock)
{
    /// <summary>How old a size may be.</summary>
    internal static readonly TimeSpan KeptFor = TimeSpan.FromSeconds(20);

    private readonly ConditionalWeakTable<Database, Size> _sizes = new();

    /// <summary>The size of a database with its indexes. It is not opened for it.</summary>
    internal long Of(Database database)
    {
        Size size = _sizes.GetValue(database, static _ => new Size());
        lock (size)
        {
            if (size.ReadAt is not { } readAt || clock.GetElapsedTime(readAt) >= KeptFor)
            {
                size.Bytes = databases.SizeOnDisk(database.Name);
                size.ReadAt = clock.GetTimestamp();
            }

            return size.Bytes;
        }
    }

    private sealed class Size
    {
        internal long Bytes { get; set; }

        internal long? ReadAt { get; set; }
    }
}

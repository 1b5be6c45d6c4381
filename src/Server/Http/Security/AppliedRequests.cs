namespace Raven.Server.Http.Security;

/// <summary>
/// The ids of the last requests that have changed who is trusted: a client that saw no answer sends its request again,
/// which changes nothing then. Kept while the server runs. Safe for all threads.
/// </summary>
internal sealed class AppliedRequests
{
    /// <summary>How many are kept.</summary>
    internal const int CountMax = 1024;

    private readonly Lock _applying = new();
    private readonly HashSet<string> _known = new(StringComparer.Ordinal);
    private readonly Queue<string> _inOrder = new();

    /// <summary>Makes a change, unless the request with this id has made it.</summary>
    /// <param name="id">The id, with what else tells requests apart.</param>
    /// <param name="change">The change; if it throws, nothing is noted.</param>
    /// <returns>False if it was made before.</returns>
    internal bool TryApply(string id, Action change)
    {
        // The lock is held during the change: a second request with the id waits for how the first one ends.
        lock (_applying)
        {
            if (_known.Contains(id))
            {
                return false;
            }

            change();
            _known.Add(id);
            _inOrder.Enqueue(id);
            if (_inOrder.Count > CountMax)
            {
                _known.Remove(_inOrder.Dequeue());
            }

            return true;
        }
    }
}

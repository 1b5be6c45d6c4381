namespace Raven.Tools.Stress;

/// <summary>
/// What one writer knows of its documents: of each the last acknowledged state, and of the request under way, if there
/// is one, the states that it would lead to. After a crash a document may be in the one or the other, and a batch is
/// there as a whole or not at all. Used by its writer, and after the kill by the check; never by both.
/// </summary>
internal sealed class Ledger
{
    /// <summary>The state of a document that does not exist.</summary>
    internal const long Absent = 0;

    /// <summary>The state of a document that is there but not whole.</summary>
    internal const long Broken = -1;

    private readonly Dictionary<string, long> _acknowledged = new(StringComparer.Ordinal);
    private Dictionary<string, long> _underWay = new(StringComparer.Ordinal);

    /// <summary>Every document that was ever written, with its last acknowledged version.</summary>
    internal IReadOnlyDictionary<string, long> Acknowledged => _acknowledged;

    /// <summary>The states that the request without an answer would lead to.</summary>
    internal IReadOnlyDictionary<string, long> UnderWay => _underWay;

    /// <summary>All documents to be checked: those of the ledger and those of the request without an answer.</summary>
    internal IEnumerable<string> Ids => _acknowledged.Keys.Union(_underWay.Keys);

    /// <summary>To be called before a request is sent.</summary>
    internal void Begin(IEnumerable<KeyValuePair<string, long>> states) =>
        _underWay = new Dictionary<string, long>(states, StringComparer.Ordinal);

    /// <summary>The server acknowledged the request under way.</summary>
    internal void Acknowledge()
    {
        foreach ((string id, long version) in _underWay)
        {
            _acknowledged[id] = version;
        }

        _underWay.Clear();
    }

    /// <summary>
    /// Judges what is there after a restart (<see cref="Absent"/> for what is not), and takes it as the new truth.
    /// </summary>
    internal List<string> Judge(IReadOnlyDictionary<string, long> found)
    {
        var problems = new List<string>();
        int taken = _underWay.Count(each => found[each.Key] == each.Value);
        bool isTaken = taken == _underWay.Count && taken > 0;

        // A command that changes nothing (a delete of what is not there) looks the same either way.
        int untouched = _underWay.Count(each => found[each.Key] == AcknowledgedOf(each.Key));
        if (!isTaken && untouched != _underWay.Count)
        {
            problems.Add($"a batch is there in part: {taken} of its {_underWay.Count} commands");
        }

        foreach (string id in Ids)
        {
            long wanted = isTaken && _underWay.TryGetValue(id, out long next) ? next : AcknowledgedOf(id);
            if (found[id] != wanted && !_underWay.ContainsKey(id))
            {
                problems.Add($"'{id}' was acknowledged in {Describe(wanted)} and is in {Describe(found[id])}");
            }
        }

        foreach (string id in Ids.ToArray())
        {
            _acknowledged[id] = found[id];
        }

        _underWay.Clear();
        return problems;
    }

    private long AcknowledgedOf(string id) => _acknowledged.GetValueOrDefault(id, Absent);

    private static string Describe(long version) => version switch
    {
        Absent => "no version",
        Broken => "a version that is not whole",
        _ => $"version {version}",
    };
}

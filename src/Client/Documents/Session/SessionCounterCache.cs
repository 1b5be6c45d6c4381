namespace Raven.Client.Documents.Session;

/// <summary>Values of counters that a session has read, included or changed.</summary>
internal sealed class SessionCounterCache
{
    private readonly Dictionary<string, Values> _documents = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Keeps values; null if the document has no such counter.</summary>
    internal void Set(string id, IEnumerable<KeyValuePair<string, long?>> values, bool isAll)
    {
        Values known = Of(id);
        known.IsAll |= isAll;
        foreach ((string name, long? value) in values)
        {
            known.ByName[name] = value;
        }
    }

    internal bool TryGet(string id, string name, out long? value)
    {
        value = null;
        return _documents.TryGetValue(id, out Values? known)
            && (known.ByName.TryGetValue(name, out value) || known.IsAll);
    }

    internal bool TryGetAll(string id, out Dictionary<string, long?> values)
    {
        bool isKnown = _documents.TryGetValue(id, out Values? known) && known.IsAll;
        values = known?.ByName ?? [];
        return isKnown;
    }

    internal void Forget(string id) => _documents.Remove(id);

    internal void Clear() => _documents.Clear();

    private Values Of(string id)
    {
        if (!_documents.TryGetValue(id, out Values? known))
        {
            _documents[id] = known = new Values();
        }

        return known;
    }

    private sealed class Values
    {
        internal bool IsAll { get; set; }

        internal Dictionary<string, long?> ByName { get; } = new(StringComparer.OrdinalIgnoreCase);
    }
}

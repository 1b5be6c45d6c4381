namespace Raven.Client.Documents.Operations;

/// <summary>How many documents each collection has.</summary>
public sealed record CollectionStatistics
{
    /// <summary>How many documents in all.</summary>
    public long CountOfDocuments { get; init; }

    /// <summary>How many documents by collection.</summary>
    public IReadOnlyDictionary<string, long> Collections
    {
        get;
        init => field = value ?? new Dictionary<string, long>();
    } = new Dictionary<string, long>();
}

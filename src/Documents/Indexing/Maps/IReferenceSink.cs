namespace Raven.Documents.Indexing.Maps;

/// <summary>Takes what a map reads besides the document that it runs over.</summary>
internal interface IReferenceSink
{
    /// <summary>Called when the map of the current document reads another document.</summary>
    /// <param name="id">Its id in any case, UTF-8.</param>
    /// <param name="collection">The collection that the map names for it.</param>
    void Add(ReadOnlySpan<byte> id, string collection);

    /// <summary>Called when the map of the current document reads a compare-exchange value.</summary>
    /// <param name="key">Its key in any case, UTF-8.</param>
    void AddValue(ReadOnlySpan<byte> key);
}

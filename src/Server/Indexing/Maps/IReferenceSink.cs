namespace Raven.Server.Indexing.Maps;

/// <summary>Takes what a map has read besides the document that it runs over.</summary>
internal interface IReferenceSink
{
    /// <summary>The document at hand refers to another one.</summary>
    /// <param name="id">Its id in any case, UTF-8.</param>
    /// <param name="collection">The collection that it is said to be in.</param>
    void Add(ReadOnlySpan<byte> id, string collection);

    /// <summary>The document at hand refers to a compare-exchange value.</summary>
    /// <param name="key">Its key in any case, UTF-8.</param>
    void AddValue(ReadOnlySpan<byte> key);
}

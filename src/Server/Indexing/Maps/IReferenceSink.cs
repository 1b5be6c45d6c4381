namespace Raven.Server.Indexing.Maps;

/// <summary>Takes the documents that a map has read besides the one that it runs over.</summary>
internal interface IReferenceSink
{
    /// <summary>The document at hand refers to another one.</summary>
    /// <param name="id">Its id in any case, UTF-8.</param>
    /// <param name="collection">The collection that it is said to be in.</param>
    void Add(ReadOnlySpan<byte> id, string collection);
}

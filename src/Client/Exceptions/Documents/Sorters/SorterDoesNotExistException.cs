namespace Raven.Client.Exceptions.Documents.Sorters;

/// <summary>A query orders by a sorter that does not exist.</summary>
public sealed class SorterDoesNotExistException(string message) : RavenException(message);

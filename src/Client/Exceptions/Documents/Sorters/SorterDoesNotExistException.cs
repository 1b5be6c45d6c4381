namespace Raven.Client.Exceptions.Documents.Sorters;

/// <summary>A query orders by a sorter that is not there.</summary>
public sealed class SorterDoesNotExistException(string message) : RavenException(message);

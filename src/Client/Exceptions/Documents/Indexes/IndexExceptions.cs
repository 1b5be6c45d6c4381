namespace Raven.Client.Exceptions.Documents.Indexes;

/// <summary>There is no index of this name.</summary>
public sealed class IndexDoesNotExistException(string message) : RavenException(message);

/// <summary>A map or reduce of an index does not compile.</summary>
public sealed class IndexCompilationException(string message) : RavenException(message);

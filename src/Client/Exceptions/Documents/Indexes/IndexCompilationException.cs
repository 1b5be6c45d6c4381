namespace Raven.Client.Exceptions.Documents.Indexes;

/// <summary>A map or reduce of an index does not compile.</summary>
public sealed class IndexCompilationException(string message) : RavenException(message);

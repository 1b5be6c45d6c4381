namespace Raven.Client.Exceptions.Documents.Analyzers;

/// <summary>The definition of an index names an analyzer that does not exist.</summary>
public sealed class AnalyzerDoesNotExistException(string message) : RavenException(message);

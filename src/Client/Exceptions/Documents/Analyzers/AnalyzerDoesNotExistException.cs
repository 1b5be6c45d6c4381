namespace Raven.Client.Exceptions.Documents.Analyzers;

/// <summary>The definition of an index names an analyzer that is not there.</summary>
public sealed class AnalyzerDoesNotExistException(string message) : RavenException(message);

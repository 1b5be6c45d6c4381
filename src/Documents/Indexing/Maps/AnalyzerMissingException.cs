namespace Raven.Documents.Indexing.Maps;

/// <summary>A definition names an analyzer that does not exist.</summary>
public sealed class AnalyzerMissingException : IndexCompilationException
{
    /// <summary>Makes the error for an analyzer and a field.</summary>
    /// <param name="analyzer">The analyzer.</param>
    /// <param name="field">The field that the analyzer is for.</param>
    /// <param name="problem">What is wrong with the name, or the names that there are.</param>
    internal AnalyzerMissingException(string analyzer, string field, string? problem)
        : base($"Cannot find analyzer type '{analyzer}' for field: {field}: {problem}.")
    {
    }
}

namespace Raven.Documents.Indexing.Maps;

/// <summary>A definition names an analyzer that does not exist.</summary>
public sealed class AnalyzerMissingException : IndexCompilationException
{
    /// <summary>Makes the error for an analyzer and a field.</summary>
    /// <param name="analyzer">The analyzer.</param>
    /// <param name="field">The field that the analyzer is for.</param>
    internal AnalyzerMissingException(string analyzer, string field)
        : base($"Cannot find analyzer type '{analyzer}' for field: {field}")
    {
    }
}

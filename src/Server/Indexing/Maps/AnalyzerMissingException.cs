namespace Raven.Server.Indexing.Maps;

/// <summary>A definition cannot be made into an index, for it names an analyzer that is not there.</summary>
internal sealed class AnalyzerMissingException : IndexCompilationException
{
    /// <summary>Says which.</summary>
    /// <param name="analyzer">The analyzer.</param>
    /// <param name="field">The field that is to be cut by it.</param>
    internal AnalyzerMissingException(string analyzer, string field)
        : base($"Cannot find analyzer type '{analyzer}' for field: {field}")
    {
    }
}

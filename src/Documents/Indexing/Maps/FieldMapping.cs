using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Extensions;
using Raven.Search.Analysis;
using Raven.Search.Fields;

namespace Raven.Documents.Indexing.Maps;

/// <summary>How a field is stored in the search index: under which name, as which kind, with which analyzer.</summary>
/// <param name="IndexName">Its name in the index; words are under <c>search(Name)</c>, vectors
/// under <c>vector.search(Name)</c>.</param>
/// <param name="Kind">Its kind.</param>
/// <param name="Analyzer">Makes its terms; null if it is not searched.</param>
internal sealed record FieldMapping(string IndexName, FieldKind Kind, Analyzer? Analyzer)
{
    /// <summary>How a field with these options is stored.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="options">Its options.</param>
    /// <param name="analyzers">Finds the analyzers that users wrote.</param>
    /// <exception cref="IndexCompilationException">The analyzer does not exist.</exception>
    internal static FieldMapping Of(string name, IndexFieldOptions options, Func<string, Analyzer?> analyzers)
    {
        if (options.Vector is not null)
        {
            return new FieldMapping(AutoVector.NameOf(name), FieldKind.Vector, Analyzers.Keyword);
        }

        CheckSpatial(name, options);
        Analyzer? analyzer = options.Analyzer is { } wanted ? AnalyzerOf(name, wanted, analyzers) : null;

        switch (options.Indexing)
        {
            case FieldIndexing.No:
                return new FieldMapping(name, FieldKind.Exact, null);
            case FieldIndexing.Exact:
                return new FieldMapping(name, FieldKind.Exact, Analyzers.Keyword);
            case FieldIndexing.Search or FieldIndexing.Highlighting:
                return new FieldMapping($"search({name})", FieldKind.FullText, analyzer ?? Analyzers.Standard);
            default:
                return analyzer is null || IsWhole(analyzer)
                    ? new FieldMapping(name, FieldKind.Exact, analyzer ?? Analyzers.LowerCaseKeyword)
                    : new FieldMapping($"search({name})", FieldKind.FullText, analyzer);
        }
    }

    private static Analyzer AnalyzerOf(string field, string wanted, Func<string, Analyzer?> analyzers)
    {
        string? problem = null;
        return analyzers(wanted) ?? KnownAnalyzers.Find(wanted, out problem)
            ?? throw new AnalyzerMissingException(wanted, field, problem);
    }

    private static void CheckSpatial(string name, IndexFieldOptions options)
    {
        try
        {
            _ = options.Shapes;
        }
        catch (FormatException wrong)
        {
            throw new IndexCompilationException($"The field '{name}': {wrong.Message}", wrong);
        }
    }

    private static bool IsWhole(Analyzer analyzer) =>
        ReferenceEquals(analyzer, Analyzers.Keyword) || ReferenceEquals(analyzer, Analyzers.LowerCaseKeyword);
}

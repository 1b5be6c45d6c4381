using System.Globalization;

namespace Raven.Documents.Indexing.Definitions;

/// <summary>The settings of one index (<c>Configuration</c>). Immutable.</summary>
internal sealed record IndexSettings
{
    private const string MissingName = "Indexing.IndexMissingFieldsAsNull";
    private const string AnalyzerName = "Indexing.Analyzers.Default";
    private const string WordsName = "Indexing.Analyzers.FullText.Search.Default";
    private const string BatchName = "Indexing.MapBatchSize";
    private const string EngineName = "Indexing.Static.SearchEngineType";

    private static readonly string[] Known = [MissingName, AnalyzerName, WordsName, BatchName, EngineName];

    private static readonly IndexSettings None = new();

    /// <summary>Whether a field that an entry does not have counts as null.</summary>
    internal bool MissingAreNull { get; private init; }

    /// <summary>The analyzer of fields without options; null for that of the engine.</summary>
    internal string? Analyzer { get; private init; }

    /// <summary>The analyzer of fields whose words are searched; null for that of the engine.</summary>
    internal string? WordsAnalyzer { get; private init; }

    /// <summary>The engine that keeps the index; null for the one that the server is set to.</summary>
    internal IndexEngine? Engine { get; private init; }

    /// <summary>The most documents of a batch; null for the server's setting.</summary>
    internal int? BatchDocumentsMax { get; private init; }

    /// <summary>Reads settings; unknown names are ignored.</summary>
    internal static IndexSettings Of(IReadOnlyDictionary<string, string> configuration) =>
        configuration.Count == 0 ? None : new IndexSettings
        {
            MissingAreNull = bool.TryParse(configuration.GetValueOrDefault(MissingName), out bool isNull) && isNull,
            Analyzer = TextOf(configuration, AnalyzerName),
            WordsAnalyzer = TextOf(configuration, WordsName),
            Engine = configuration.GetValueOrDefault(EngineName) switch
            {
                nameof(IndexEngine.Lucene) => IndexEngine.Lucene,
                nameof(IndexEngine.Corax) => IndexEngine.Corax,
                _ => null,
            },
            BatchDocumentsMax = TryReadCount(configuration.GetValueOrDefault(BatchName), out int count) ? count : null,
        };

    /// <summary>What is wrong with new settings; null if they are valid.</summary>
    internal static string? Check(IReadOnlyDictionary<string, string> configuration)
    {
        foreach ((string name, string value) in configuration)
        {
            string? wanted = name switch
            {
                MissingName => bool.TryParse(value, out _) ? null : "true or false",
                BatchName => TryReadCount(value, out _) ? null : "a number from 1 to 1,000,000",
                EngineName => value is "Lucene" or "Corax" or "None" or "" ? null : "Lucene or Corax",
                AnalyzerName or WordsName => null,
                _ => "",
            };
            if (wanted == "")
            {
                return $"There is no setting '{name}' of an index; there are {string.Join(", ", Known)}.";
            }

            if (wanted is not null)
            {
                return $"The setting '{name}' must be {wanted}, not '{value}'.";
            }
        }

        return null;
    }

    /// <summary>The options of a field, with the analyzer of the settings if it has none.</summary>
    internal IndexFieldOptions Complete(IndexFieldOptions options) => options.Analyzer is not null ? options
        : options.Indexing switch
        {
            FieldIndexing.Search or FieldIndexing.Highlighting when WordsAnalyzer is not null =>
                options with { Analyzer = WordsAnalyzer },
            FieldIndexing.Unset or FieldIndexing.Default when Analyzer is not null =>
                options with { Analyzer = Analyzer },
            _ => options,
        };

    private static string? TextOf(IReadOnlyDictionary<string, string> configuration, string name) =>
        configuration.GetValueOrDefault(name) is { Length: > 0 } text ? text : null;

    private static bool TryReadCount(string? text, out int count) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out count)
        && count is >= 1 and <= 1_000_000;
}

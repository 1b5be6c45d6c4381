namespace Raven.CommandLine.Import.Input;

/// <summary>How source files are read.</summary>
internal sealed record SourceOptions
{
    internal SourceFormat Format { get; init; }

    /// <summary>Escape raw control characters inside strings instead of refusing them.</summary>
    internal bool RepairControlCharacters { get; init; }

    /// <summary>What stands between the fields of a CSV file.</summary>
    internal byte Separator { get; init; } = (byte)',';

    /// <summary>Fields of a CSV file stay strings, whatever they look like.</summary>
    internal bool StringsOnly { get; init; }

    /// <summary>
    /// The types of the columns of a CSV file, by name; without one, the type of each field follows from its text.
    /// </summary>
    internal IReadOnlyDictionary<string, CsvColumnType> Columns { get; init; } =
        new Dictionary<string, CsvColumnType>();
}

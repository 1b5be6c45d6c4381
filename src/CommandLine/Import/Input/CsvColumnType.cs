namespace Raven.CommandLine.Import.Input;

/// <summary>What the fields of a column of a CSV file become.</summary>
internal enum CsvColumnType
{
    /// <summary>What each of them looks like.</summary>
    Auto,

    /// <summary>Texts.</summary>
    Text,

    /// <summary>Numbers; any other field is an error.</summary>
    Number,

    /// <summary><c>true</c> or <c>false</c>; any other field is an error.</summary>
    Boolean,
}

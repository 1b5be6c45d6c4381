namespace Raven.CommandLine.Import.Input;

/// <summary>Reads what is said of columns: <c>NAME=TYPE</c>.</summary>
internal static class CsvColumns
{
    /// <summary>The types by name.</summary>
    /// <exception cref="FormatException">One is not said so; says how.</exception>
    internal static Dictionary<string, CsvColumnType> Parse(IEnumerable<string>? columns)
    {
        var types = new Dictionary<string, CsvColumnType>(StringComparer.Ordinal);
        foreach (string column in columns ?? [])
        {
            int equals = column.LastIndexOf('=');
            string word = column[(equals + 1)..];
            if (equals <= 0 || !Enum.TryParse(word, ignoreCase: true, out CsvColumnType type)
                || !char.IsAsciiLetter(word[0]) || !Enum.IsDefined(type))
            {
                throw new FormatException(
                    $"--column takes NAME=text, NAME=number, NAME=boolean or NAME=auto, not '{column}'.");
            }

            types[column[..equals]] = type;
        }

        return types;
    }
}

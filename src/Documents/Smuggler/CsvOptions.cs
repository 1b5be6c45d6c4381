using Raven.Blittable.Reading;

namespace Raven.Documents.Smuggler;

/// <summary>How a CSV file is written. Immutable.</summary>
public sealed record CsvOptions
{
    private const string Delimiters = ",;\t ";

    /// <summary>What stands between cells: a comma, a semicolon, a tab or a space.</summary>
    public char Delimiter { get; init; } = ',';

    /// <summary>What stands around a cell that has delimiters or line ends: a double or a single quote.</summary>
    public char Quote { get; init; } = '"';

    /// <summary>Whether white space around cells without quotes is dropped.</summary>
    public bool IsTrimmed { get; init; }

    /// <summary>The line at which the first row begins that is taken, for an import that goes on; the header is read.
    /// </summary>
    public long FirstLine { get; init; } = 1;

    /// <summary>Reads the options of a client: <c>{"Delimiter","Quote","Trim","FirstLine"}</c>.</summary>
    /// <exception cref="RefusedException">One of them is not valid.</exception>
    public static CsvOptions Parse(BlittableObject json)
    {
        var options = new CsvOptions();
        bool isTrimmed = false;
        if (json.TryGet("Trim"u8, out BlittableValue trim) && !trim.IsNull && !trim.TryGetBoolean(out isTrimmed))
        {
            throw new RefusedException(RefusalReason.Argument, "Trim must be true or false.");
        }

        long firstLine = 1;
        if (json.TryGet("FirstLine"u8, out BlittableValue line) && !line.IsNull
            && (!line.TryGetInt64(out firstLine) || firstLine < 1))
        {
            throw new RefusedException(RefusalReason.Argument, "FirstLine must be the number of a line, from 1.");
        }

        return options with
        {
            FirstLine = firstLine,
            Delimiter = CharOf(json, "Delimiter"u8, options.Delimiter, Delimiters),
            Quote = CharOf(json, "Quote"u8, options.Quote, "\"'"),
            IsTrimmed = isTrimmed,
        };
    }

    private static char CharOf(BlittableObject json, ReadOnlySpan<byte> name, char otherwise, string allowed)
    {
        if (!json.TryGet(name, out BlittableValue value) || value.IsNull)
        {
            return otherwise;
        }

        return value.TryGetString(out string text) && text.Length == 1 && allowed.Contains(text[0])
            ? text[0]
            : throw new RefusedException(
                RefusalReason.Argument,
                $"{System.Text.Encoding.UTF8.GetString(name)} must be one of the characters {Show(allowed)}.");
    }

    private static string Show(string characters) =>
        string.Join(' ', characters.Select(each => each switch { '\t' => "tab", ' ' => "space", _ => $"{each}" }));
}

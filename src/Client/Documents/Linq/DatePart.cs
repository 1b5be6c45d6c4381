using System.Linq.Expressions;

namespace Raven.Client.Documents.Linq;

/// <summary>
/// Translates comparisons of the year or the day of a date with a value. The server compares whole dates, so that a
/// year or a day becomes a range of dates.
/// </summary>
internal static class DatePart
{
    private const int YearMax = 9998;

    /// <summary>The date whose part an expression is; null if it is none that can be compared.</summary>
    internal static Expression? DateOf(Expression expression) => expression is MemberExpression
    {
        Member.Name: "Year" or "Date", Expression: { } date,
    } && (date.Type == typeof(DateTime) || date.Type == typeof(DateOnly)) ? date : null;

    /// <summary>The condition on the date.</summary>
    /// <param name="fields">Receives the bounds.</param>
    /// <param name="part">The part, of the document.</param>
    /// <param name="operation">How it is compared, the part on the left.</param>
    /// <param name="value">The value that it is compared with.</param>
    /// <exception cref="NotSupportedException">It is no year.</exception>
    internal static string Compare(FieldTranslator fields, MemberExpression part, string operation, object? value)
    {
        string path = fields.PathOf(part.Expression!);
        if (value is null)
        {
            return operation is "=" or "!=" ? $"{path} {operation} null" : "false";
        }

        (object first, object next, bool isWhole) = RangeOf(part, value);
        string From() => $"{path} >= {fields.Parameter(first)}";
        string FromNext() => $"{path} >= {fields.Parameter(next)}";
        string Before() => $"{path} < {fields.Parameter(first)}";
        string BeforeNext() => $"{path} < {fields.Parameter(next)}";
        return operation switch
        {
            "=" => isWhole ? $"({From()} and {BeforeNext()})" : "false",
            "!=" => isWhole ? $"true and not ({From()} and {BeforeNext()})" : "true",
            "<" => isWhole ? Before() : BeforeNext(),
            "<=" => BeforeNext(),
            ">" => FromNext(),
            _ => isWhole ? From() : FromNext(),
        };
    }

    /// <summary>The dates of the year or day in which a value is.</summary>
    private static (object First, object Next, bool IsWhole) RangeOf(MemberExpression part, object value)
    {
        if (value is DateTime moment)
        {
            DateTime day = moment.Date;
            return (day, day.AddDays(1), day == moment);
        }

        if (value is not int year || year is < 1 or > YearMax)
        {
            throw new NotSupportedException($"'{part}' is compared with '{value}', and years are from 1 to {YearMax}.");
        }

        return part.Expression!.Type == typeof(DateOnly)
            ? (new DateOnly(year, 1, 1), new DateOnly(year + 1, 1, 1), true)
            : (new DateTime(year, 1, 1), new DateTime(year + 1, 1, 1), true);
    }
}

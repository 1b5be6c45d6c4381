using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents.Queries.Rql;

namespace Raven.Documents.Queries;

/// <summary>Options of a function of a query: an object that is a parameter. Names begin with a capital letter or, as
/// some clients send them, with a small one. An option of a wrong type is refused.</summary>
/// <param name="options">The object; invalid for none.</param>
/// <param name="text">The query, for errors.</param>
/// <param name="position">The position of the options in it.</param>
internal readonly ref struct QueryOptions(BlittableObject options, string text, int position)
{
    private readonly BlittableObject _options = options;
    private readonly string _text = text;
    private readonly int _position = position;

    /// <summary>The options of a call; null for none.</summary>
    /// <exception cref="RqlException">They are no object.</exception>
    internal static QueryOptions Of(RqlTranslator translator, string text, RqlExpression place) =>
        translator.Evaluate(place) switch
        {
            null => new(default, text, place.Position),
            BlittableValue given when given.TryGetObject(out BlittableObject found) => new(found, text, place.Position),
            _ => throw new RqlException(text, place.Position, "expected options: an object"),
        };

    /// <summary>An option that is not null.</summary>
    internal BlittableValue? Find(string name)
    {
        if (!_options.IsValid)
        {
            return null;
        }

        string small = char.ToLowerInvariant(name[0]) + name[1..];
        return (_options.TryGet(Encoding.UTF8.GetBytes(name), out BlittableValue value)
            || _options.TryGet(Encoding.UTF8.GetBytes(small), out value)) && !value.IsNull
            ? value
            : null;
    }

    /// <summary>A whole number, not negative.</summary>
    internal int Number(string name, int otherwise) => Find(name) is not { } value ? otherwise
        : value.TryGetInt64(out long number) && number >= 0 ? (int)Math.Min(number, int.MaxValue)
        : throw Wrong(name, "a whole number that is not negative");

    /// <summary>A number.</summary>
    internal double Real(string name, double otherwise) => Find(name) is not { } value ? otherwise
        : value.TryGetDouble(out double number) ? number
        : throw Wrong(name, "a number");

    /// <summary>A number from 0 to 1.</summary>
    internal double Share(string name, double otherwise) => Real(name, otherwise) is >= 0 and <= 1 and double share
        ? share
        : throw Wrong(name, "a number from 0 to 1");

    /// <summary>True or false.</summary>
    internal bool Flag(string name, bool otherwise) => Find(name) is not { } value ? otherwise
        : value.TryGetBoolean(out bool flag) ? flag
        : throw Wrong(name, "true or false");

    /// <summary>A text; null if there is none.</summary>
    internal string? Text(string name) => Find(name) is not { } value ? null
        : value.Kind == ValueKind.String ? value.GetString()
        : throw Wrong(name, "a text");

    /// <summary>One of some texts; null if there is none.</summary>
    internal string? OneOf(string name, params ReadOnlySpan<string> known)
    {
        string? text = Text(name);
        return text is null || known.Contains(text) ? text
            : throw Wrong(name, string.Join(", ", known[..^1].ToArray()) + " or " + known[^1]);
    }

    internal List<string> Texts(string name)
    {
        List<string> texts = [];
        if (Find(name) is not { } list)
        {
            return texts;
        }

        if (!list.TryGetArray(out BlittableArray items))
        {
            throw Wrong(name, "a list of texts");
        }

        for (int i = 0; i < items.Count; i++)
        {
            texts.Add(items[i].Kind == ValueKind.String ? items[i].GetString() : throw Wrong(name, "a list of texts"));
        }

        return texts;
    }

    private RqlException Wrong(string name, string wanted) =>
        new(_text, _position, $"the option '{name}' must be {wanted}");
}

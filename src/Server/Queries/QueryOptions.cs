using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;

namespace Raven.Server.Queries;

/// <summary>Options of a function of a query: an object that is a parameter, whose names begin with a capital letter
/// or, as some clients send them, with a small one.</summary>
/// <param name="options">The object; invalid for none.</param>
internal readonly ref struct QueryOptions(BlittableObject options)
{
    private readonly BlittableObject _options = options;

    /// <summary>Options that a query was given; none where the value is no object.</summary>
    internal static QueryOptions Of(object? value) =>
        new(value is BlittableValue given && given.TryGetObject(out BlittableObject found) ? found : default);

    /// <summary>An option that is there and not null.</summary>
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
    internal int Number(string name, int otherwise) => Find(name) is { } value && value.TryGetInt64(out long number)
        ? (int)Math.Clamp(number, 0, int.MaxValue)
        : otherwise;

    /// <summary>A text; null where there is none.</summary>
    internal string? Text(string name) => Find(name) is { Kind: ValueKind.String } value ? value.GetString() : null;

    /// <summary>The texts of a list.</summary>
    internal List<string> Texts(string name)
    {
        List<string> texts = [];
        if (Find(name) is { } list && list.TryGetArray(out BlittableArray items))
        {
            for (int i = 0; i < items.Count; i++)
            {
                texts.Add(items[i].Kind == ValueKind.String ? items[i].GetString() : "");
            }
        }

        return texts;
    }
}

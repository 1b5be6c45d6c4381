using System.Buffers;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace Raven.Documents.Queries;

/// <summary>
/// A query without a context: its parameters, which were in the context, are kept as JSON while the query waits
/// (QRY-1), or until it continues in another context.
/// </summary>
internal sealed class DetachedInput
{
    private readonly QueryInput _input;
    private readonly byte[] _stored;
    private readonly List<(string Name, byte[] Json)> _objects = [];

    /// <summary>Takes the parameters out of the context that the query was read into, which is not used
    /// any more.</summary>
    internal DetachedInput(QueryInput input)
    {
        _input = input;
        _stored = JsonOf(input.StoredParameters);
        foreach ((string name, object? value) in input.Parameters)
        {
            if (value is BlittableValue one)
            {
                _objects.Add((name, JsonOf(one)));
            }
        }
    }

    /// <summary>Whether any of it needs a context.</summary>
    internal bool HasStored => _stored.Length > 0 || _objects.Count > 0;

    /// <summary>The query, with its parameters in a context.</summary>
    internal QueryInput Attach(OperationContext context)
    {
        if (!HasStored)
        {
            return _input;
        }

        Dictionary<string, object?> parameters = new(_input.Parameters, StringComparer.Ordinal);
        BlittableValue stored = Parse(context, _stored);
        for (int i = 0; i < (stored.IsNull ? 0 : stored.AsObject().Count); i++)
        {
            BlittableProperty property = stored.AsObject().GetProperty(i);
            parameters[System.Text.Encoding.UTF8.GetString(property.Name)] = QueryInput.ToValue(property.Value);
        }

        foreach ((string name, byte[] json) in _objects)
        {
            parameters[name] = QueryInput.ToValue(Parse(context, json));
        }

        return _input with { StoredParameters = stored, Parameters = parameters };
    }

    private static byte[] JsonOf(BlittableValue value)
    {
        if (value.IsNull)
        {
            return [];
        }

        var json = new ArrayBufferWriter<byte>();
        BlittableToJson.Write(value.AsObject(), json);
        return json.WrittenSpan.ToArray();
    }

    private static BlittableValue Parse(OperationContext context, byte[] json) =>
        json.Length > 0 && context.Parser.TryParse(json, BlittableMode.ToMemory, out BlittableObject parsed, out _)
            ? parsed.AsValue()
            : default;
}

using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Raven.Client.Documents.Entities;
using Raven.Client.Documents.Session;
using Raven.Client.Json;

namespace Raven.Client.Documents.Queries;

/// <summary>Results that become objects: entities are tracked, projections are not.</summary>
internal sealed class QueryResults<T>(SessionCore session, QueryOptions options) : IResultReader
{
    /// <summary>A list that this thread reuses.</summary>
    [ThreadStatic]
    private static List<DocumentHead>? _spareHeads;

    private readonly EntityReader<T> _entities = session.Conventions.Serializer.ReaderOf<T>();

    internal List<T> Items { get; private set; } = [];

    public void Read(ref Utf8JsonReader reader, ReadOnlyMemory<byte> body)
    {
        if (options.SingleField is null && TryReadAll(ref reader, body))
        {
            return;
        }

        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            Items.Add(ReadOne(ref reader, body));
        }
    }

    /// <summary>Takes one result, from its opening brace to its closing one.</summary>
    internal T ReadOne(ref Utf8JsonReader reader, ReadOnlyMemory<byte> body) => options.SingleField is { } field
        ? ReadField(ref reader, body, field)
        : session.ReadAndTrack(_entities, ref reader, body, options.NoTracking, options.IsProjection);

    /// <summary>
    /// Reads all results at once, if they have the form that the server writes: nothing between two of them but a
    /// comma, and the metadata last.
    /// </summary>
    private bool TryReadAll(ref Utf8JsonReader reader, ReadOnlyMemory<byte> body)
    {
        Utf8JsonReader begin = reader;
        int start = (int)reader.BytesConsumed;
        List<DocumentHead> heads = _spareHeads ?? [];
        _spareHeads = null;
        heads.Clear();
        if (_entities.TryReadAll(ref reader, heads) is not { } entities || !AreDense(body.Span, start, heads))
        {
            reader = begin;
            return false;
        }

        session.Documents.Expect(entities.Count);
        for (int i = 0; i < entities.Count; i++)
        {
            DocumentHead head = heads[i];
            entities[i] = session.TrackRead(
                entities[i], in head, body[start..(head.End + 1)], options.NoTracking, options.IsProjection);
            start = head.End + 2;
        }

        Items = entities;
        heads.Clear();
        _spareHeads = heads;
        return true;
    }

    private static bool AreDense(ReadOnlySpan<byte> body, int start, List<DocumentHead> heads)
    {
        foreach (DocumentHead head in heads)
        {
            if (head.End <= start || head.End + 1 >= body.Length || body[start] != '{' || body[head.End] != '}'
                || body[head.End + 1] is not ((byte)',' or (byte)']'))
            {
                return false;
            }

            start = head.End + 2;
        }

        return true;
    }

    /// <summary>The one field that is the result; the default if the result does not have it.</summary>
    private T ReadField(ref Utf8JsonReader reader, ReadOnlyMemory<byte> body, string field)
    {
        T value = default!;
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            bool isField = reader.ValueTextEquals(field);
            reader.Read();
            int start = (int)reader.TokenStartIndex;
            reader.Skip();
            if (isField)
            {
                var type = (JsonTypeInfo<T>)session.Conventions.Serializer.Options.GetTypeInfo(typeof(T));
                value = JsonSerializer.Deserialize(body.Span[start..(int)reader.BytesConsumed], type)!;
            }
        }

        return value;
    }
}

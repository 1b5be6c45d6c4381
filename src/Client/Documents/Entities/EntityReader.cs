using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Raven.Client.Json;

namespace Raven.Client.Documents.Entities;

/// <summary>Reads entities of a type in place, from the body of an answer. Safe for all threads.</summary>
/// <remarks>
/// An object is read in one pass, with its metadata. A type without properties of its own (a dictionary, a node of
/// JSON, an interface), a document of another type, and one that cannot be read is cut out first and read by
/// <see cref="JsonSerializer"/>, whose errors name the property.
/// </remarks>
internal sealed class EntityReader<T>
{
    private readonly EntitySerializer _serializer;
    private readonly JsonConverter<T>? _converter;
    private readonly JsonConverter<List<T>>? _listConverter;
    private readonly byte[] _writtenType;

    internal EntityReader(EntitySerializer serializer)
    {
        _serializer = serializer;
        JsonTypeInfo type = serializer.Options.GetTypeInfo(typeof(T));
        _converter = type.Kind == JsonTypeInfoKind.Object && !typeof(T).IsAbstract && !typeof(T).IsInterface
            && typeof(T) != typeof(object) && type.Properties.Any(MetadataProperty.Is)
                ? type.Converter as JsonConverter<T>
                : null;

        // If a constructor takes values, the serializer reads the rest, including the metadata, separately and later:
        // positions in it are not positions in the body then.
        _listConverter = _converter is null || type.CreateObject is null || type.PolymorphismOptions != null
            ? null
            : serializer.Options.GetTypeInfo(typeof(List<T>)).Converter as JsonConverter<List<T>>;
        _writtenType = Encoding.UTF8.GetBytes(EntitySerializer.WrittenNameOf(typeof(T)));
    }

    /// <summary>Reads one entity; its id is not set.</summary>
    /// <param name="reader">At the opening brace of the document; at its closing one afterwards.</param>
    /// <param name="body">What the reader reads.</param>
    /// <param name="head">What was read of the metadata of the document.</param>
    /// <param name="document">The document, a part of the body.</param>
    internal T Read(
        ref Utf8JsonReader reader, ReadOnlyMemory<byte> body, out DocumentHead head,
        out ReadOnlyMemory<byte> document)
    {
        int start = (int)reader.TokenStartIndex;
        Utf8JsonReader begin = reader;
        if (TryReadObject(ref reader, out T? entity, out head))
        {
            document = body[start..(int)reader.BytesConsumed];
            return entity!;
        }

        reader = begin;
        reader.Skip();
        document = body[start..(int)reader.BytesConsumed];
        head = DocumentHead.Of(document.Span);
        return (T)_serializer.FromJson(document.Span, typeof(T), in head);
    }

    /// <summary>Reads all documents of a list at once; their ids are not set.</summary>
    /// <param name="reader">At the opening bracket; at the closing one afterwards, or unchanged if it fails.</param>
    /// <param name="heads">Filled with what was read of the metadata of each.</param>
    /// <returns>The entities; null if they have to be read one by one, for any reason.</returns>
    internal List<T>? TryReadAll(ref Utf8JsonReader reader, List<DocumentHead> heads)
    {
        if (_listConverter is null)
        {
            return null;
        }

        Utf8JsonReader begin = reader;
        List<T>? entities = null;
        MetadataProperty.Begin(reader.CurrentDepth + 2, _writtenType, heads);
        try
        {
            entities = _listConverter.Read(ref reader, typeof(List<T>), _serializer.Options);
        }
        catch (Exception)
        {
            // The caller reads again, one by one, and throws an error that names the position of the fault.
            entities = null;
        }
        finally
        {
            MetadataProperty.End();
        }

        if (entities is null || entities.Count != heads.Count || !AreAllOfType(heads))
        {
            reader = begin;
            return null;
        }

        return entities;
    }

    private bool AreAllOfType(List<DocumentHead> heads)
    {
        foreach (DocumentHead head in heads)
        {
            if (head.WrittenType != null && _serializer.ConcreteType(head.WrittenType, typeof(T)) != typeof(T))
            {
                return false;
            }
        }

        return true;
    }

    private bool TryReadObject(ref Utf8JsonReader reader, out T? entity, out DocumentHead head)
    {
        entity = default;
        head = default;
        if (_converter is null || reader.TokenType != JsonTokenType.StartObject)
        {
            return false;
        }

        MetadataProperty.Begin(reader.CurrentDepth + 1, _writtenType);
        try
        {
            entity = _converter.Read(ref reader, typeof(T), _serializer.Options);
        }
        catch (Exception)
        {
            // The caller reads again, and throws an error that names the position of the fault.
            return false;
        }
        finally
        {
            head = MetadataProperty.End();
        }

        return entity is not null
            && (head.WrittenType is null || _serializer.ConcreteType(head.WrittenType, typeof(T)) == typeof(T));
    }
}

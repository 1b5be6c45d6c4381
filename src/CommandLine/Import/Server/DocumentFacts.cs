using System.Text;
using System.Text.Json;

namespace Raven.CommandLine.Import.Server;

/// <summary>
/// The facts of a document that the tool needs to give it an id and a collection: the place of its metadata.
/// </summary>
internal readonly ref struct DocumentFacts
{
    /// <summary>The document was judged by the server's parser; here nothing it took is too deep.</summary>
    internal static readonly JsonReaderOptions Options = new() { MaxDepth = 1000 };

    private DocumentFacts(bool isEmpty, Range metadata, string? id, string? collection, string? keyed, string? grouped)
    {
        IsEmpty = isEmpty;
        Metadata = metadata;
        Id = id;
        Collection = collection;
        IdPropertyValue = keyed;
        CollectionPropertyValue = grouped;
    }

    /// <summary>Whether the object has no property.</summary>
    internal bool IsEmpty { get; }

    /// <summary>The place of the value of <c>@metadata</c>; an empty range if there is none.</summary>
    internal Range Metadata { get; }

    /// <summary><c>@metadata.@id</c>.</summary>
    internal string? Id { get; }

    /// <summary><c>@metadata.@collection</c>.</summary>
    internal string? Collection { get; }

    /// <summary>The value of the property that makes the id: a string, or an integer as text.</summary>
    internal string? IdPropertyValue { get; }

    /// <summary>The value of the property that names the collection.</summary>
    internal string? CollectionPropertyValue { get; }

    /// <summary>Goes through a valid document once.</summary>
    internal static DocumentFacts Read(ReadOnlySpan<byte> document, string? idProperty, string? collectionProperty)
    {
        var reader = new Utf8JsonReader(document, Options);
        Range metadata = default;
        string? id = null, collection = null, keyed = null, grouped = null;
        bool isEmpty = true;
        reader.Read();
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            isEmpty = false;
            bool isMetadata = reader.ValueTextEquals("@metadata"u8);
            bool isKey = idProperty is not null && reader.ValueTextEquals(idProperty);
            bool isGroup = collectionProperty is not null && reader.ValueTextEquals(collectionProperty);
            reader.Read();
            keyed = isKey ? TextOf(ref reader) : keyed;
            grouped = isGroup ? TextOf(ref reader) : grouped;
            int start = (int)reader.TokenStartIndex;
            if (isMetadata && reader.TokenType == JsonTokenType.StartObject)
            {
                ReadMetadata(ref reader, ref id, ref collection);
                metadata = start..(int)reader.BytesConsumed;
            }
            else
            {
                reader.Skip();
            }
        }

        return new DocumentFacts(isEmpty, metadata, id, collection, keyed, grouped);
    }

    private static void ReadMetadata(ref Utf8JsonReader reader, ref string? id, ref string? collection)
    {
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            bool isId = reader.ValueTextEquals("@id"u8);
            bool isCollection = reader.ValueTextEquals("@collection"u8);
            reader.Read();
            id = isId ? TextOf(ref reader) : id;
            collection = isCollection ? TextOf(ref reader) : collection;
            reader.Skip();
        }
    }

    private static string? TextOf(ref Utf8JsonReader reader) => reader.TokenType switch
    {
        JsonTokenType.String => reader.GetString(),
        JsonTokenType.Number when reader.ValueSpan.IndexOfAny(".eE"u8) < 0 =>
            Encoding.ASCII.GetString(reader.ValueSpan),
        _ => null,
    };
}

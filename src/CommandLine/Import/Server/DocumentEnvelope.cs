using System.Buffers;
using System.Globalization;
using System.Text.Json;

namespace Raven.CommandLine.Import.Server;

/// <summary>
/// Gives documents their id and metadata and writes them as commands of bulk insert. An id is, in this order: the value
/// of the id property, <c>@metadata.@id</c>, or the collection and the number of the document in this run.
/// </summary>
internal sealed class DocumentEnvelope(IdentityOptions options)
{
    private readonly ArrayBufferWriter<byte> _scratch = new(1024);
    private long _ordinal;

    /// <summary>How many documents have no collection of their own and were given none.</summary>
    internal long WithoutCollection { get; private set; }

    /// <summary>
    /// Metadata that the server makes itself, and that says nothing of a document in another database.
    /// </summary>
    internal static bool IsServerOwned(string metadataName) => metadataName is "@id" or "@change-vector"
        or "@last-modified" or "@flags" or "@attachments" or "@counters" or "@timeseries" or "@index-score"
        or "@projection";

    /// <summary>
    /// The id and collection of the next document; false with a reason if it lacks a required id. Documents must come
    /// in the order of the source, each once.
    /// </summary>
    internal bool TryIdentify(ReadOnlySpan<byte> document, out Identity identity, out string reason)
    {
        DocumentFacts facts = DocumentFacts.Read(document, options.IdProperty, options.CollectionProperty);
        _ordinal++;
        string? named = options.Collection ?? facts.CollectionPropertyValue ?? facts.Collection;
        WithoutCollection += named is null ? 1 : 0;
        string collection = named ?? "@empty";
        string? id = options.IdProperty is null
            ? facts.Id ?? NumberedId(collection)
            : facts.IdPropertyValue;
        reason = id is { Length: > 0 } ? "" : $"'{options.IdProperty}' is not there or neither a string nor an integer";
        identity = new Identity(options.IdProperty is null ? id ?? "" : options.IdPrefix + id, collection, facts);
        return reason.Length == 0;
    }

    /// <summary>Writes <c>{"Id":...,"Type":"PUT","Document":...}</c>, the document with its metadata in it.</summary>
    internal void WriteCommand(IBufferWriter<byte> output, ReadOnlySpan<byte> document, in Identity identity)
    {
        output.Write("{\"Id\":"u8);
        WriteString(output, identity.Id);
        output.Write(",\"Type\":\"PUT\",\"Document\":"u8);
        (int start, int length) = identity.Facts.Metadata.GetOffsetAndLength(document.Length);
        if (length == 0)
        {
            output.Write(document[..^1]);
            output.Write(identity.Facts.IsEmpty ? "\"@metadata\":"u8 : ",\"@metadata\":"u8);
            WriteMetadata(output, default, identity.Collection);
            output.Write("}}"u8);
            return;
        }

        output.Write(document[..start]);
        WriteMetadata(output, document.Slice(start, length), identity.Collection);
        output.Write(document[(start + length)..]);
        output.Write("}"u8);
    }

    private string NumberedId(string collection) => string.Create(
        CultureInfo.InvariantCulture, $"{(collection == "@empty" ? "documents" : collection)}/{_ordinal}");

    /// <summary>The document's own metadata without what the server owns, and with the collection.</summary>
    private void WriteMetadata(IBufferWriter<byte> output, ReadOnlySpan<byte> metadata, string collection)
    {
        output.Write("{\"@collection\":"u8);
        WriteString(output, collection);
        if (!metadata.IsEmpty)
        {
            var reader = new Utf8JsonReader(metadata, DocumentFacts.Options);
            reader.Read();
            while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
            {
                string name = reader.GetString()!;
                int nameStart = (int)reader.TokenStartIndex;
                reader.Read();
                reader.Skip();
                if (name != "@collection" && !IsServerOwned(name))
                {
                    output.Write(","u8);
                    output.Write(metadata[nameStart..(int)reader.BytesConsumed]);
                }
            }
        }

        output.Write("}"u8);
    }

    private void WriteString(IBufferWriter<byte> output, string text)
    {
        _scratch.ResetWrittenCount();
        using var writer = new Utf8JsonWriter(_scratch);
        writer.WriteStringValue(text);
        writer.Flush();
        output.Write(_scratch.WrittenSpan);
    }

    /// <summary>Under which id and in which collection a document is stored.</summary>
    internal readonly ref struct Identity(string id, string collection, DocumentFacts facts)
    {
        internal string Id { get; } = id;

        internal string Collection { get; } = collection;

        internal DocumentFacts Facts { get; } = facts;
    }
}

using System.Text.Json;

namespace Raven.Client.Json;

/// <summary>What a session needs first of a document: its id, change vector and type, from the metadata.</summary>
internal readonly struct DocumentHead
{
    /// <summary>Options of readers, which allow documents to nest deeper than any that the client writes.</summary>
    internal static readonly JsonReaderOptions ReaderOptions = new() { MaxDepth = 512 };

    /// <summary>The id; null for a result that is no document, such as a projection.</summary>
    internal string? Id { get; private init; }

    /// <summary>The change vector; null for a result that is no document, and if it was not requested.</summary>
    internal string? ChangeVector { get; private init; }

    /// <summary>Whether it is a projection of a document.</summary>
    internal bool IsProjection { get; private init; }

    /// <summary>The type that wrote it, if it is not the one that is known already.</summary>
    internal string? WrittenType { get; private init; }

    /// <summary>The end of the metadata in the read bytes: behind its closing brace.</summary>
    internal int End { get; private init; }

    /// <summary>Finds the metadata of a document.</summary>
    internal static DocumentHead Of(ReadOnlySpan<byte> document)
    {
        var reader = new Utf8JsonReader(document, ReaderOptions);
        if (!reader.Read() || reader.TokenType != JsonTokenType.StartObject)
        {
            return default;
        }

        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            bool isMetadata = reader.ValueTextEquals("@metadata"u8);
            reader.Read();
            if (isMetadata && reader.TokenType == JsonTokenType.StartObject)
            {
                return Read(ref reader, knownType: default, wantsChangeVector: true);
            }

            reader.Skip();
        }

        return default;
    }

    /// <summary>Reads metadata, from its opening brace to its closing one.</summary>
    /// <param name="reader">At the opening brace.</param>
    /// <param name="knownType">The name of the type that need not be reported.</param>
    /// <param name="wantsChangeVector">Whether the change vector is read; a session seldom needs it.</param>
    internal static DocumentHead Read(
        ref Utf8JsonReader reader, ReadOnlySpan<byte> knownType, bool wantsChangeVector)
    {
        string? id = null;
        string? changeVector = null;
        string? writtenType = null;
        bool isProjection = false;
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            int name = reader.ValueSpan.Length;
            if (name == 3 && reader.ValueTextEquals("@id"u8))
            {
                id = Text(ref reader);
            }
            else if (wantsChangeVector && name == 14 && reader.ValueTextEquals("@change-vector"u8))
            {
                changeVector = Text(ref reader);
            }
            else if (name == 14 && reader.ValueTextEquals("Raven-Clr-Type"u8))
            {
                reader.Read();
                writtenType = reader.TokenType != JsonTokenType.String || reader.ValueSpan.SequenceEqual(knownType)
                    ? null : reader.GetString();
            }
            else if (name == 11 && reader.ValueTextEquals("@projection"u8))
            {
                reader.Read();
                isProjection = reader.TokenType == JsonTokenType.True;
            }
            else
            {
                reader.Read();
            }

            reader.Skip();
        }

        return new DocumentHead
        {
            Id = id, ChangeVector = changeVector, IsProjection = isProjection, WrittenType = writtenType,
            End = (int)reader.BytesConsumed,
        };
    }

    private static string? Text(ref Utf8JsonReader reader)
    {
        reader.Read();
        return reader.TokenType == JsonTokenType.String ? reader.GetString() : null;
    }
}

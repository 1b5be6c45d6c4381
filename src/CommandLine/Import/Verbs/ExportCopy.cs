using System.Buffers;
using System.Text.Json;
using Raven.CommandLine.Import.Input;
using Raven.CommandLine.Import.Server;
using Raven.CommandLine.Output;

namespace Raven.CommandLine.Import.Verbs;

/// <summary>
/// Copies the server's answer line by line. Every line is checked to be a whole document: an answer that was cut must
/// not become a file that looks like an export.
/// </summary>
internal sealed class ExportCopy(ExportOptions options, Progress progress)
{
    private const int BufferBytes = 512 * 1024;
    private readonly ArrayBufferWriter<byte> _buffer = new(2 * BufferBytes);

    /// <summary>What could not be read, as the server says it, in order.</summary>
    internal List<string> Damaged { get; } = [];

    internal void Run(Stream input, Stream output)
    {
        using var source = new JsonLinesSource(new InputBuffer("the server's answer", input, 1024 * 1024));
        long count = 0, bytes = 0;
        while (source.TryRead(out ReadOnlyMemory<byte> document))
        {
            DocumentFacts facts = DocumentFacts.Read(document.Span, null, null);
            if (facts.Id is not { } id)
            {
                Damaged.Add(DamageIn(document) ?? throw new ImportFormatException(
                    "the server's answer", source.Line, 1, "the document has no @metadata.@id"));
                continue;
            }

            if (!IsWanted(id, facts.Collection))
            {
                continue;
            }

            Write(document.Span, facts.Metadata);
            bytes += document.Length;
            progress.Report(++count, bytes, bytes);
            if (_buffer.WrittenCount >= BufferBytes)
            {
                output.Write(_buffer.WrittenSpan);
                _buffer.ResetWrittenCount();
            }
        }

        output.Write(_buffer.WrittenSpan);
        output.Flush();
    }

    private bool IsWanted(string id, string? collection) =>
        (options.Collection is null
            || string.Equals(options.Collection, collection, StringComparison.OrdinalIgnoreCase))
        && (options.StartsWith is null || id.StartsWith(options.StartsWith, StringComparison.OrdinalIgnoreCase));

    /// <summary>The document without what its metadata says of things that are not in the file.</summary>
    private void Write(ReadOnlySpan<byte> document, Range metadata)
    {
        (int start, int length) = metadata.GetOffsetAndLength(document.Length);
        ReadOnlySpan<byte> own = document.Slice(start, length);
        _buffer.Write(document[..start]);
        if (own.IndexOf("\"@attachments\""u8) < 0 && own.IndexOf("\"@counters\""u8) < 0
            && own.IndexOf("\"@flags\""u8) < 0)
        {
            _buffer.Write(own);
        }
        else
        {
            WriteKept(own);
        }

        _buffer.Write(document[(start + length)..]);
        _buffer.Write("\n"u8);
    }

    private void WriteKept(ReadOnlySpan<byte> metadata)
    {
        var reader = new Utf8JsonReader(metadata, DocumentFacts.Options);
        reader.Read();
        ReadOnlySpan<byte> before = "{"u8;
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            int start = (int)reader.TokenStartIndex;
            bool isLeftOut = reader.ValueTextEquals("@attachments"u8) || reader.ValueTextEquals("@counters"u8)
                || reader.ValueTextEquals("@timeseries"u8) || reader.ValueTextEquals("@flags"u8);
            reader.Read();
            reader.Skip();
            if (!isLeftOut)
            {
                _buffer.Write(before);
                _buffer.Write(metadata[start..(int)reader.BytesConsumed]);
                before = ","u8;
            }
        }

        _buffer.Write(before.SequenceEqual("{"u8) ? "{}"u8 : "}"u8);
    }

    /// <summary>What a line says of damage in place of documents; null if it says nothing of it.</summary>
    private static string? DamageIn(ReadOnlyMemory<byte> line)
    {
        using JsonDocument json = JsonDocument.Parse(line, new JsonDocumentOptions { MaxDepth = 1000 });
        return json.RootElement.TryGetProperty("@damaged", out JsonElement damage)
            ? $"changes {damage.GetProperty("FirstEtag")} to {damage.GetProperty("LastEtag")}: "
                + damage.GetProperty("Message").GetString()
            : null;
    }
}

using System.Buffers;
using System.IO.Pipelines;
using System.Text.Json;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Session;
using Raven.Client.Json;

namespace Raven.Client.Documents.BulkInsert;

/// <summary>Writes the commands of a bulk insert as JSON; its buffers are reused.</summary>
internal sealed class BulkInsertWriter : IDisposable
{
    /// <summary>The most entries of a command, each of which the server reads as a whole.</summary>
    private const int EntriesMax = 1024;

    private readonly DocumentConventions _conventions;
    private readonly DocumentJsonWriter _documents;
    private readonly PipeWriter _pipe;
    private readonly ArrayBufferWriter<byte> _entity = new(4096);
    private readonly Utf8JsonWriter _entityWriter;
    private readonly ArrayBufferWriter<byte> _text = new(256);
    private readonly Utf8JsonWriter _textWriter;
    private readonly Dictionary<Type, byte[]> _metadata = [];
    private bool _isFirst = true;
    private string? _seriesId;
    private string? _seriesName;
    private int _seriesCount;

    internal BulkInsertWriter(DocumentConventions conventions, PipeWriter pipe)
    {
        _conventions = conventions;
        _documents = new DocumentJsonWriter(conventions);
        _pipe = pipe;
        _entityWriter = new Utf8JsonWriter(_entity, JsonFormats.Writer);
        _textWriter = new Utf8JsonWriter(_text, JsonFormats.Writer);
    }

    /// <summary>How many bytes were written.</summary>
    internal long Written { get; private set; }

    public void Dispose()
    {
        _entityWriter.Dispose();
        _textWriter.Dispose();
    }

    internal void WriteDocument(string id, object entity, IMetadataDictionary? metadata)
    {
        _entity.ResetWrittenCount();
        _entityWriter.Reset(_entity);
        _conventions.Serializer.Write(_entityWriter, entity);
        _entityWriter.Flush();
        ReadOnlySpan<byte> json = _entity.WrittenSpan;

        // All calls that may fail are made before the first byte is sent.
        byte[] withIt = metadata is null ? MetadataOf(entity) : WrittenMetadata(entity, metadata);
        Begin();
        WriteText(id);
        Write(",\"Type\":\"PUT\",\"Document\":"u8);
        Write(json[..^1]);
        Write(json.Length > 2 ? ",\"@metadata\":"u8 : "\"@metadata\":"u8);
        Write(withIt);
        Write("}}"u8);
    }

    internal void WriteCounter(string id, string name, long delta)
    {
        Begin();
        WriteText(id);
        Write(",\"Type\":\"Counters\",\"Counters\":{\"DocumentId\":"u8);
        WriteText(id);
        Write(",\"Operations\":[{\"Type\":\"Increment\",\"CounterName\":"u8);
        WriteText(name);
        Write(",\"Delta\":"u8);
        _text.ResetWrittenCount();
        _textWriter.Reset(_text);
        _textWriter.WriteNumberValue(delta);
        _textWriter.Flush();
        Write(_text.WrittenSpan);
        Write("}]}}"u8);
    }

    /// <summary>The head of an attachment, whose bytes have to follow.</summary>
    internal void WriteAttachmentHead(string id, string name, string? contentType, long length)
    {
        Begin();
        WriteText(id);
        Write(",\"Type\":\"AttachmentPUT\",\"Name\":"u8);
        WriteText(name);
        Write(",\"ContentType\":"u8);
        WriteText(contentType ?? "");
        Write(",\"ContentLength\":"u8);
        _text.ResetWrittenCount();
        _textWriter.Reset(_text);
        _textWriter.WriteNumberValue(length);
        _textWriter.Flush();
        Write(_text.WrittenSpan);
        Write("}"u8);
    }

    internal void WriteRaw(ReadOnlySpan<byte> bytes) => Write(bytes);

    /// <summary>
    /// Writes an entry of a time series. Those of one series that follow each other are one command.
    /// </summary>
    internal void WriteEntry(string id, string name, DateTime time, ReadOnlySpan<double> values, string? tag)
    {
        if (_seriesId == id && _seriesName == name && _seriesCount < EntriesMax)
        {
            Write(","u8);
        }
        else
        {
            Begin();
            WriteText(id);
            Write(",\"Type\":\"TimeSeriesBulkInsert\",\"TimeSeries\":{\"Name\":"u8);
            WriteText(name);
            Write(",\"TimeFormat\":\"UnixTimeInMs\",\"Appends\":["u8);
            (_seriesId, _seriesName, _seriesCount) = (id, name, 0);
        }

        _seriesCount++;
        _text.ResetWrittenCount();
        _textWriter.Reset(_text);
        _textWriter.WriteStartArray();
        _textWriter.WriteNumberValue((time.Ticks - DateTime.UnixEpoch.Ticks) / TimeSpan.TicksPerMillisecond);
        _textWriter.WriteNumberValue(values.Length);
        foreach (double value in values)
        {
            SeriesNumbersConverter.WriteNumber(_textWriter, value);
        }

        if (tag != null)
        {
            _textWriter.WriteStringValue(tag);
        }

        _textWriter.WriteEndArray();
        _textWriter.Flush();
        Write(_text.WrittenSpan);
    }

    internal void WriteEnd()
    {
        EndSeries();
        Write(_isFirst ? "[]"u8 : "]"u8);
    }

    private void EndSeries()
    {
        if (_seriesId != null)
        {
            Write("]}}"u8);
            _seriesId = null;
        }
    }

    private void Begin()
    {
        EndSeries();
        Write(_isFirst ? "[{\"Id\":"u8 : ",{\"Id\":"u8);
        _isFirst = false;
    }

    private void WriteText(string text)
    {
        _text.ResetWrittenCount();
        _textWriter.Reset(_text);
        _textWriter.WriteStringValue(text);
        _textWriter.Flush();
        Write(_text.WrittenSpan);
    }

    private void Write(ReadOnlySpan<byte> bytes)
    {
        _pipe.Write(bytes);
        Written += bytes.Length;
    }

    private byte[] MetadataOf(object entity)
    {
        if (!_metadata.TryGetValue(entity.GetType(), out byte[]? bytes))
        {
            _metadata[entity.GetType()] = bytes = WrittenMetadata(entity, null);
        }

        return bytes;
    }

    private byte[] WrittenMetadata(object entity, IMetadataDictionary? metadata)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer, JsonFormats.Writer))
        {
            _documents.WriteMetadata(writer, entity, metadata, null);
        }

        return buffer.WrittenSpan.ToArray();
    }
}

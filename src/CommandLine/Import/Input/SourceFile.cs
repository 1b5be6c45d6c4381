using System.IO.Compression;

namespace Raven.CommandLine.Import.Input;

/// <summary>
/// A file to read documents from, plain or gzip (by its first two bytes), with how far it has been read.
/// </summary>
internal sealed class SourceFile : IDisposable
{
    private const int BufferBytes = 1024 * 1024;
    private readonly CountingStream _raw;
    private readonly ControlCharacterRepair? _repair;
    private readonly CountingStream _text;
    private readonly IDocumentSource _documents;

    private SourceFile(string name, Stream stream, SourceOptions options)
    {
        Name = name;
        LengthBytes = stream.CanSeek ? stream.Length : 0;
        _raw = new CountingStream(stream);
        var start = new StartOfStream(_raw);
        Stream text = start.IsGzip ? new GZipStream(start, CompressionMode.Decompress) : start;
        _repair = options.RepairControlCharacters ? new ControlCharacterRepair(text) : null;
        _text = new CountingStream(_repair ?? text);
        _documents = CreateSource(options);
    }

    /// <summary>The name as the user gave it.</summary>
    internal string Name { get; }

    /// <summary>The size of the file on disk; 0 if it is not known (standard input).</summary>
    internal long LengthBytes { get; }

    /// <summary>Bytes of the file that were read, in its stored form.</summary>
    internal long RawBytesRead => _raw.BytesRead;

    /// <summary>Bytes of text, unpacked, that were read.</summary>
    internal long TextBytesRead => _text.BytesRead;

    /// <summary>Control characters that had to be escaped.</summary>
    internal long Repairs => _repair?.Count ?? 0;

    /// <summary>What was read that its owner may not have meant so, a sentence each.</summary>
    internal IEnumerable<string> Warnings => (_documents as CsvSource)?.MixedColumns() ?? [];

    /// <summary>Opens a file; <c>-</c> is standard input.</summary>
    internal static SourceFile Open(string path, SourceOptions options) => path == "-"
        ? new SourceFile("standard input", Console.OpenStandardInput(), options)
        : new SourceFile(path, new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read, 1), options);

    /// <summary>Reads documents from a stream, for tests.</summary>
    internal static SourceFile Open(string name, Stream stream, SourceOptions options) => new(name, stream, options);

    /// <summary>The first line of the document given last.</summary>
    internal long Line => _documents.Line;

    /// <summary>The next document; false at the end of the file.</summary>
    internal bool TryRead(out ReadOnlyMemory<byte> document)
    {
        try
        {
            return _documents.TryRead(out document);
        }
        catch (InvalidDataException broken)
        {
            throw new ImportFormatException(Name, _documents.Line, 1, $"the gzip stream is broken: {broken.Message}");
        }
    }

    public void Dispose()
    {
        (_documents as IDisposable)?.Dispose();
        _text.Dispose();
    }

    private IDocumentSource CreateSource(SourceOptions options)
    {
        SourceFormat format = options.Format == SourceFormat.Auto ? FormatOf(Name) : options.Format;
        return format switch
        {
            SourceFormat.Csv => new CsvSource(Name, _text, options),
            SourceFormat.Lines => new JsonLinesSource(new InputBuffer(Name, _text, BufferBytes)),
            _ => new JsonSource(new InputBuffer(Name, _text, BufferBytes), format == SourceFormat.RavenDbDump),
        };
    }

    private static SourceFormat FormatOf(string name)
    {
        string plain = name.EndsWith(".gz", StringComparison.OrdinalIgnoreCase) ? name[..^3] : name;
        return Path.GetExtension(plain).ToUpperInvariant() switch
        {
            ".NDJSON" or ".JSONL" => SourceFormat.Lines,
            ".CSV" => SourceFormat.Csv,
            ".RAVENDBDUMP" => SourceFormat.RavenDbDump,
            _ => SourceFormat.Json,
        };
    }
}

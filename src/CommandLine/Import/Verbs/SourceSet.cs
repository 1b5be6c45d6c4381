using Raven.CommandLine.Import.Input;

namespace Raven.CommandLine.Import.Verbs;

/// <summary>The files of a run, read one behind the other.</summary>
internal sealed class SourceSet(IReadOnlyList<string> paths, SourceOptions options) : IDisposable
{
    private int _next;
    private SourceFile? _current;
    private long _rawBytesBefore;
    private long _textBytesBefore;
    private long _repairsBefore;

    /// <summary>The size of all files together; 0 as soon as one is not known.</summary>
    internal long LengthBytes { get; } = paths.Contains("-") ? 0 : paths.Sum(path => new FileInfo(path).Length);

    internal long RawBytesRead => _rawBytesBefore + (_current?.RawBytesRead ?? 0);

    internal long TextBytesRead => _textBytesBefore + (_current?.TextBytesRead ?? 0);

    internal long Repairs => _repairsBefore + (_current?.Repairs ?? 0);

    /// <summary>What the files that were read to their ends have that may not be meant so.</summary>
    internal List<string> Warnings { get; } = [];

    /// <summary>The file that the last document came from.</summary>
    internal string CurrentName => _current?.Name ?? "";

    /// <summary>The first line of the last document.</summary>
    internal long CurrentLine => _current?.Line ?? 1;

    /// <summary>The next document of all files; false behind the last one.</summary>
    internal bool TryRead(out ReadOnlyMemory<byte> document)
    {
        while (true)
        {
            if (_current is not null && _current.TryRead(out document))
            {
                return true;
            }

            CloseCurrent();
            if (_next == paths.Count)
            {
                document = default;
                return false;
            }

            _current = SourceFile.Open(paths[_next++], options);
        }
    }

    /// <summary>An error about the document read last.</summary>
    internal ImportFormatException Error(string reason) => new(CurrentName, _current?.Line ?? 1, 1, reason);

    public void Dispose() => CloseCurrent();

    private void CloseCurrent()
    {
        _rawBytesBefore = RawBytesRead;
        _textBytesBefore = TextBytesRead;
        _repairsBefore = Repairs;
        Warnings.AddRange(_current?.Warnings ?? []);
        _current?.Dispose();
        _current = null;
    }
}

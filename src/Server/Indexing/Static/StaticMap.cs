using Raven.Server.Documents;
using Raven.Server.Indexing.Maps;
using Raven.Server.Indexing.Static.Compilation;
using Raven.Server.Indexing.Static.Values;

namespace Raven.Server.Indexing.Static;

/// <summary>A map that was compiled from its text.</summary>
internal sealed class StaticMap : DocumentMap
{
    private readonly CodeAssembly _assembly;
    private readonly CompiledMap _code;
    private readonly MappedDocument _document = new();
    private readonly MapOutput _output = new();
    private readonly string[] _fields;

    /// <summary>Takes a compiled map.</summary>
    /// <param name="assembly">Its code, which goes with it.</param>
    /// <param name="code">The map.</param>
    internal StaticMap(CodeAssembly assembly, CompiledMap code)
        : base(code.Collections)
    {
        _assembly = assembly;
        _code = code;
        _fields = code.Fields;
    }

    /// <summary>The class that the text was compiled to.</summary>
    internal Type CodeType => _code.GetType();

    /// <inheritdoc/>
    internal override IReadOnlyList<string> Fields => _fields;

    internal override void Run(in StoredDocument document, MapSink sink)
    {
        DynamicValue input = _document.Open(in document);
        _code.Begin(document.Snapshot, sink);
        _output.Begin(sink, _fields);
        try
        {
            _code.Run(input, _output);
        }
        finally
        {
            _code.End();
        }
    }

    protected override void Dispose(bool isDisposing)
    {
        if (isDisposing)
        {
            _assembly.Dispose();
        }

        base.Dispose(isDisposing);
    }
}

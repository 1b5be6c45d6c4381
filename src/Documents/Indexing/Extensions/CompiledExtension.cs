using Raven.Documents.Indexing.Static.Compilation;
using Raven.Search;
using Raven.Search.Analysis;

namespace Raven.Documents.Indexing.Extensions;

/// <summary>A compiled analyzer or sorter. After <see cref="Dispose"/>, its code is unloaded when it has no users
/// any more.</summary>
internal sealed class CompiledExtension : IDisposable
{
    private readonly CodeAssembly _assembly;

    private CompiledExtension(ExtensionSource source, CodeAssembly assembly, object instance)
    {
        Source = source;
        _assembly = assembly;
        Instance = instance;
    }

    /// <summary>The source that it was compiled from.</summary>
    internal ExtensionSource Source { get; }

    /// <summary>A <see cref="CustomAnalyzer"/> or a <see cref="CustomSorter"/>.</summary>
    internal object Instance { get; }

    /// <summary>Compiles an analyzer or a sorter.</summary>
    /// <exception cref="ExtensionException">It cannot be compiled; the message says where and why.</exception>
    internal static CompiledExtension Compile(ExtensionSource source)
    {
        CodeAssembly? assembly = null;
        try
        {
            assembly = CodeAssembly.CompileText(source.Code);
            object instance = source.Kind == ExtensionKind.Analyzer
                ? new CustomAnalyzer(source, assembly.CreateNamed<Analyzer>(source.Name))
                : new CustomSorter(source, assembly.CreateNamed<FieldComparator>(source.Name));
            return new CompiledExtension(source, assembly, instance);
        }
        catch (MapSyntaxException wrong)
        {
            assembly?.Dispose();
            throw new ExtensionException(
                ExtensionProblem.Code, source.Kind,
                $"The {Describe(source)} cannot be compiled: line {wrong.Line}, column {wrong.Column}: "
                + wrong.Message,
                wrong);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _assembly.Dispose();

    /// <summary>The name of the source in errors.</summary>
    internal static string Describe(ExtensionSource source) =>
        source.Kind == ExtensionKind.Analyzer ? $"analyzer '{source.Name}'" : $"sorter '{source.Name}'";
}

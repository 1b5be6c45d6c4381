using Raven.Search;
using Raven.Search.Analysis;
using Raven.Server.Indexing.Static.Compilation;

namespace Raven.Server.Indexing.Extensions;

/// <summary>An analyzer or a sorter and its code, which goes when nobody uses it any more after
/// <see cref="Dispose"/>.</summary>
internal sealed class CompiledExtension : IDisposable
{
    private readonly CodeAssembly _assembly;

    private CompiledExtension(ExtensionSource source, CodeAssembly assembly, object instance)
    {
        Source = source;
        _assembly = assembly;
        Instance = instance;
    }

    /// <summary>What it was made of.</summary>
    internal ExtensionSource Source { get; }

    /// <summary>A <see cref="CustomAnalyzer"/> or a <see cref="CustomSorter"/>.</summary>
    internal object Instance { get; }

    /// <summary>Compiles one.</summary>
    /// <exception cref="ExtensionException">It cannot be compiled; says where and why.</exception>
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
        catch (MapTextException wrong)
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

    /// <summary>How errors name it.</summary>
    internal static string Describe(ExtensionSource source) =>
        source.Kind == ExtensionKind.Analyzer ? $"analyzer '{source.Name}'" : $"sorter '{source.Name}'";
}

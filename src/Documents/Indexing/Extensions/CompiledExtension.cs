using Raven.Documents.Indexing.Static.Compilation;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Lucene.Analysis;

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

    /// <summary>A <see cref="GuardedAnalyzer"/> or a <see cref="CustomSorter"/>.</summary>
    internal object Instance { get; }

    /// <summary>Compiles an analyzer or a sorter.</summary>
    /// <exception cref="ExtensionException">It cannot be compiled; the message says where and why.</exception>
    internal static CompiledExtension Compile(ExtensionSource source)
    {
        CodeAssembly? assembly = null;
        try
        {
            assembly = CodeAssembly.CompileText(source.Code, isCounted: source.Kind == ExtensionKind.Analyzer);
            object instance = source.Kind == ExtensionKind.Analyzer
                ? AnalyzerOf(source, assembly)
                : new CustomSorter(source, (FieldComparator)assembly.CreateNamed(
                    source.Name, $"a {typeof(FieldComparator).FullName}", IsA<FieldComparator>));
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

    private static GuardedAnalyzer AnalyzerOf(ExtensionSource source, CodeAssembly assembly)
    {
        StepLimit steps = assembly.LimitSteps();
        steps.Begin(length: 0);
        try
        {
            object written = assembly.CreateNamed(
                source.Name, $"a {typeof(Analyzer).FullName} or a Lucene.Net.Analysis.Analyzer",
                type => IsA<Analyzer>(type) || LuceneAnalyzers.IsOne(type));
            return new GuardedAnalyzer(
                source.Name, source.Version,
                written as Analyzer ?? LuceneAnalyzers.Wrap(source.Name, written), steps);
        }
        finally
        {
            steps.End();
        }
    }

    private static bool IsA<T>(Type type) => type.IsAssignableTo(typeof(T));

    /// <summary>The name of the source in errors.</summary>
    internal static string Describe(ExtensionSource source) =>
        source.Kind == ExtensionKind.Analyzer ? $"analyzer '{source.Name}'" : $"sorter '{source.Name}'";
}

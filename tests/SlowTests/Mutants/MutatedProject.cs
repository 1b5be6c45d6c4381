using System.Collections.Concurrent;
using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Emit;
using Shared.Mutants;
using SlowTests.Support;

namespace SlowTests.Mutants;

/// <summary>
/// A project of <c>src</c> as the compiler has it, so that a mutant costs the parsing of the files that it changes and
/// the emitting. The usings, the version and the friends are those that the build has left in <c>obj</c>. Any thread.
/// </summary>
internal sealed class MutatedProject
{
    private static readonly ConcurrentDictionary<string, Lazy<MutatedProject>> Known = new();

    private static readonly string[] NamesInObj =
        ["*.AssemblyInfo.cs", "*.GlobalUsings.g.cs", "*.AssemblyAttributes.cs"];

    /// <summary>The configuration and the framework that these tests were built for: <c>Release/net10.0</c>.</summary>
    private static readonly string Flavor = Path.GetRelativePath(
        Path.Combine(NodeProgram.Root, "tests", "SlowTests", "bin"), AppContext.BaseDirectory);

    private static readonly CSharpParseOptions ParseOptions = new(
        LanguageVersion.Latest, preprocessorSymbols: Flavor.StartsWith("Debug", StringComparison.Ordinal)
            ? ["DEBUG", "TRACE"]
            : ["TRACE"]);

    private readonly CSharpCompilation _compilation;

    private MutatedProject(string project)
    {
        string folder = Path.Combine(NodeProgram.Root, project);
        string name = Path.GetFileNameWithoutExtension(Directory.EnumerateFiles(folder, "*.csproj").Single());
        IEnumerable<string> generated = NamesInObj.SelectMany(
            pattern => Directory.EnumerateFiles(Path.Combine(folder, "obj", Flavor), pattern));
        IEnumerable<string> sources = Directory.EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories)
            .Where(path => Path.GetRelativePath(folder, path).Split(Path.DirectorySeparatorChar)[0]
                is not ("bin" or "obj"));
        var compilation = CSharpCompilation.Create(
            name,
            sources.Concat(generated).Select(path => Parse(File.ReadAllText(path), path)),
            References(name),
            new CSharpCompilationOptions(
                OutputKind.DynamicallyLinkedLibrary,
                optimizationLevel: OptimizationLevel.Release,
                allowUnsafe: true,
                nullableContextOptions: NullableContextOptions.Enable));
        CSharpGeneratorDriver.Create(Generators(), parseOptions: ParseOptions)
            .RunGeneratorsAndUpdateCompilation(compilation, out Compilation whole, out _);
        _compilation = (CSharpCompilation)whole;
    }

    /// <summary>The file name of its assembly.</summary>
    internal string AssemblyFile => $"{_compilation.AssemblyName}.dll";

    /// <summary>The project in a folder of the repository.</summary>
    internal static MutatedProject In(string folder) =>
        Known.GetOrAdd(folder, _ => new Lazy<MutatedProject>(() => new MutatedProject(folder))).Value;

    /// <summary>The assembly with the mistake in it, or without one.</summary>
    internal byte[] Compile(Mutant? mutant)
    {
        using var assembly = new MemoryStream();
        EmitResult result = Mutate(mutant, out _).Emit(assembly);
        Require(mutant, result.Diagnostics);
        return assembly.ToArray();
    }

    /// <summary>Fails if a file that a mutant changes does not compile then.</summary>
    internal void RequireCompiles(Mutant mutant)
    {
        CSharpCompilation mutated = Mutate(mutant, out IReadOnlyList<SyntaxTree> changed);
        Require(mutant, changed.SelectMany(tree => mutated.GetSemanticModel(tree).GetDiagnostics()));
    }

    private static void Require(Mutant? mutant, IEnumerable<Diagnostic> diagnostics) =>
        Assert.False(
            diagnostics.Any(one => one.Severity == DiagnosticSeverity.Error),
            $"{mutant?.Name ?? "The source"} does not compile: {string.Join(Environment.NewLine,
                diagnostics.Where(one => one.Severity == DiagnosticSeverity.Error))}");

    private CSharpCompilation Mutate(Mutant? mutant, out IReadOnlyList<SyntaxTree> changed)
    {
        List<SyntaxTree> trees = [];
        CSharpCompilation mutated = _compilation;
        foreach (IGrouping<string, SourceEdit> file in (mutant?.Edits ?? []).GroupBy(edit => edit.File))
        {
            string path = Path.Combine(NodeProgram.Root, file.Key);
            SyntaxTree old = _compilation.SyntaxTrees.Single(tree => Path.GetFullPath(tree.FilePath) == path);
            SyntaxTree tree = Parse(file.Aggregate(old.ToString(), (text, edit) => edit.Apply(text)), path);
            mutated = mutated.ReplaceSyntaxTree(old, tree);
            trees.Add(tree);
        }

        changed = trees;
        return mutated;
    }

    private static SyntaxTree Parse(string text, string path) =>
        CSharpSyntaxTree.ParseText(text, ParseOptions, path);

    /// <summary>What this process runs with, but for the project itself and what is built on it.</summary>
    private static IEnumerable<MetadataReference> References(string name) =>
        ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(path => Path.GetFileNameWithoutExtension(path) != name
                && path != typeof(MutatedProject).Assembly.Location)
            .Select(path => MetadataReference.CreateFromFile(path));

    /// <summary>Those that come with the SDK; they write what <c>LibraryImport</c>, <c>GeneratedRegex</c> and
    /// <c>LoggerMessage</c> ask for.</summary>
    private static IEnumerable<ISourceGenerator> Generators()
    {
        string runtime = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        string packs = Path.Combine(runtime, "..", "..", "..", "packs");
        return new[]
            {
                ("Microsoft.NETCore.App.Ref", "Microsoft.Interop.LibraryImportGenerator"),
                ("Microsoft.NETCore.App.Ref", "System.Text.RegularExpressions.Generator"),
                ("Microsoft.AspNetCore.App.Ref", "Microsoft.Extensions.Logging.Generators"),
            }
            .Select(one => Path.GetFullPath(
                Path.Combine(PackOf(packs, one.Item1), "analyzers", "dotnet", "cs", $"{one.Item2}.dll")))
            .SelectMany(file => new AnalyzerFileReference(file, new Loader()).GetGenerators(LanguageNames.CSharp));
    }

    private static string PackOf(string packs, string name) => Directory.EnumerateDirectories(
            Path.Combine(packs, name), $"{Environment.Version.Major}.*")
        .Order(StringComparer.Ordinal).Last();

    /// <summary>Loads the generators into this process.</summary>
    private sealed class Loader : IAnalyzerAssemblyLoader
    {
        public void AddDependencyLocation(string fullPath)
        {
        }

        public Assembly LoadFromPath(string fullPath) => Assembly.LoadFrom(fullPath);
    }
}

using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Globalization;
using System.Reflection;
using System.Runtime.Loader;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Emit;
using Microsoft.CodeAnalysis.Text;
using Raven.Blittable.Memory;
using Raven.Documents.Indexing.Extensions;
using Raven.Search.Lucene.Analysis;

namespace Raven.Documents.Indexing.Static.Compilation;

/// <summary>
/// Classes that were compiled from a definition, in a load context of their own: after <see cref="Dispose"/>, their
/// code is unloaded when their last object is collected.
/// </summary>
internal sealed partial class CodeAssembly : IDisposable
{
    private const string Usings = "global using System; global using System.Collections.Generic; "
        + "global using System.Linq; global using System.Text; ";

    private const string UsingsOfSearch = "global using Raven.Search; global using Raven.Search.Analysis;";

    private static readonly CSharpCompilationOptions CompileOptions = new(
        OutputKind.DynamicallyLinkedLibrary, optimizationLevel: OptimizationLevel.Release,
        concurrentBuild: false, metadataImportOptions: MetadataImportOptions.Public);

    private static readonly ConcurrentDictionary<string, MetadataReference> References = [];

    private readonly AssemblyLoadContext _context;
    private readonly Assembly _assembly;

    private CodeAssembly(AssemblyLoadContext context, Assembly assembly)
    {
        _context = context;
        _assembly = assembly;
    }

    /// <summary>Makes an object of a class, by its name.</summary>
    internal T Create<T>(string className) => (T)Activator.CreateInstance(_assembly.GetType(className, true)!)!;

    /// <summary>Compiles the code of maps and reduces.</summary>
    /// <param name="code">The code of the classes.</param>
    /// <param name="sources">Additional sources, parsed.</param>
    /// <param name="assemblies">Additional assemblies.</param>
    /// <exception cref="MapSyntaxException">C# refuses it; the message says where in the text of the map.</exception>
    internal static CodeAssembly Compile(
        string code, IReadOnlyList<SyntaxTree> sources, AdditionalAssemblies assemblies)
    {
        SyntaxTree tree = CSharpSyntaxTree.ParseText(code);
        bool isWide = sources.Count > 0 || assemblies.Any;
        CSharpCompilation compilation = CSharpCompilation.Create(
            "index", [tree, .. sources],
            isWide ? AllReferences().Concat(ReferencesOf(assemblies)).Distinct() : MapReferences(),
            CompileOptions);
        using MemoryStream image = new();
        EmitResult result = compilation.Emit(image);
        if (!result.Success)
        {
            throw Refused(result.Diagnostics, tree, code);
        }

        image.Position = 0;
        AssemblyLoadContext context = new("index", isCollectible: true);
        context.Resolving += (own, name) => assemblies.Paths.FirstOrDefault(path =>
            Path.GetFileNameWithoutExtension(path).Equals(name.Name, StringComparison.OrdinalIgnoreCase)) is { } file
            ? own.LoadFromAssemblyPath(file)
            : null;
        return new CodeAssembly(context, context.LoadFromStream(image));
    }

    /// <summary>Compiles C# as it is.</summary>
    /// <param name="text">The code.</param>
    /// <param name="isCounted">Whether its steps are counted, so that they can be limited.</param>
    /// <exception cref="MapSyntaxException">C# refuses it; the message says where.</exception>
    internal static CodeAssembly CompileText(string text, bool isCounted)
    {
        NestingGuard.Check(text);
        SyntaxTree tree = CSharpSyntaxTree.ParseText(text);

        // Classes of Lucene have the names of some of ours: code that names Lucene's namespaces gets no others unasked.
        bool isOfLucene = text.Contains("Lucene.Net", StringComparison.Ordinal);
        bool usesLucene = isOfLucene && tree.GetRoot().DescendantNodes().OfType<UsingDirectiveSyntax>()
            .Any(one => one.NamespaceOrType.ToString().StartsWith("Lucene.Net", StringComparison.Ordinal));
        CSharpCompilation compilation = CSharpCompilation.Create(
            "extension", [tree, CSharpSyntaxTree.ParseText(usesLucene ? Usings : Usings + UsingsOfSearch)],
            AllReferences().Append(Reference(typeof(Search.FieldComparator).Assembly))
                .Concat(isOfLucene ? LuceneAnalyzers.Assemblies.Select(Reference) : []),
            CompileOptions);

        // What C# refuses is said of the code as it was sent, not of what counts its steps.
        using MemoryStream image = new();
        Emit(compilation, image);
        if (isCounted)
        {
            image.SetLength(0);
            Emit(StepCounter.Rewrite(compilation, tree), image);
        }

        image.Position = 0;
        AssemblyLoadContext context = new("extension", isCollectible: true);
        return new CodeAssembly(context, context.LoadFromStream(image));
    }

    private static void Emit(CSharpCompilation compilation, MemoryStream image)
    {
        EmitResult result = compilation.Emit(image);
        if (!result.Success)
        {
            Diagnostic first = result.Diagnostics.First(problem => problem.Severity == DiagnosticSeverity.Error);
            LinePosition start = first.Location.GetLineSpan().StartLinePosition;
            throw new MapSyntaxException(
                first.GetMessage(CultureInfo.InvariantCulture), start.Line + 1, start.Character + 1);
        }
    }

    /// <summary>Makes an object of the one class of this name, in any namespace.</summary>
    /// <param name="className">The name.</param>
    /// <param name="what">What the class has to be, for errors.</param>
    /// <param name="isWanted">Whether a class is that.</param>
    /// <exception cref="MapSyntaxException">There is no such class, or it has no usable constructor.</exception>
    internal object CreateNamed(string className, string what, Func<Type, bool> isWanted)
    {
        Type? type = _assembly.GetTypes().FirstOrDefault(one => one.Name == className);
        if (type is null || !isWanted(type) || type.IsAbstract || type.GetConstructor(Type.EmptyTypes) is null)
        {
            throw new MapSyntaxException(
                $"expected a class '{className}' that is {what}, is not abstract, and has a public "
                + "constructor without parameters", 1, 1);
        }

        try
        {
            return Activator.CreateInstance(type)!;
        }
        catch (TargetInvocationException failure)
        {
            throw new MapSyntaxException(
                $"the constructor of '{className}' failed: {failure.InnerException?.Message}", 1, 1);
        }
    }

    /// <summary>Limits the steps of code that was compiled to count them.</summary>
    internal StepLimit LimitSteps()
    {
        Type counter = _assembly.GetType(StepCounter.ClassName, throwOnError: true)!;
        return new StepLimit(
            counter.GetMethod("Begin")!.CreateDelegate<Action<long>>(),
            counter.GetMethod("End")!.CreateDelegate<Action>());
    }

    /// <summary>Parses an additional source.</summary>
    /// <exception cref="MapSyntaxException">It is no C#.</exception>
    internal static SyntaxTree ParseSource(string name, string text)
    {
        NestingGuard.Check(text);
        SyntaxTree tree = CSharpSyntaxTree.ParseText(text, path: name);
        return tree.GetDiagnostics().FirstOrDefault(one => one.Severity == DiagnosticSeverity.Error) is { } problem
            ? throw Refused([problem], tree, text)
            : tree;
    }

    /// <inheritdoc/>
    public void Dispose() => _context.Unload();

    private static MapSyntaxException Refused(ImmutableArray<Diagnostic> problems, SyntaxTree tree, string code)
    {
        Diagnostic first = problems.First(problem => problem.Severity == DiagnosticSeverity.Error);
        FileLinePositionSpan span = first.Location.GetLineSpan();
        string message = first.GetMessage(CultureInfo.InvariantCulture);
        if (first.Location.SourceTree != tree || span.Path.Length > 0)
        {
            return new MapSyntaxException(
                $"{message} (additional source '{span.Path}')", span.StartLinePosition.Line + 1,
                span.StartLinePosition.Character + 1);
        }

        // The last mark before the error has the place in the map that the code was written for.
        Match mark = Mark().Matches(code[..Math.Min(code.Length, first.Location.SourceSpan.End)]).LastOrDefault()
            ?? Match.Empty;
        return new MapSyntaxException(
            message,
            mark.Success ? int.Parse(mark.Groups[1].Value, CultureInfo.InvariantCulture) : 1,
            mark.Success ? int.Parse(mark.Groups[2].Value, CultureInfo.InvariantCulture) : 1);
    }

    private static readonly Assembly[] OfMaps =
    [
        typeof(object).Assembly, Assembly.Load("System.Runtime"), typeof(CodeAssembly).Assembly,
        typeof(Blittable.Reading.BlittableValue).Assembly,
    ];

    private static IEnumerable<MetadataReference> MapReferences() => OfMaps.Select(Reference);

    private static IEnumerable<MetadataReference> AllReferences()
    {
        MetadataReference[] platform =
        [
            .. ((string?)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES") ?? string.Empty)
                .Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
                .Where(path => IsOther(Path.GetFileNameWithoutExtension(path))).Select(ReferenceOfFile),
        ];
        return (platform.Length > 0 ? platform : LoadedPlatform().Select(Reference)).Concat(MapReferences()).Distinct();
    }

    private static IEnumerable<MetadataReference> ReferencesOf(AdditionalAssemblies assemblies) => assemblies.Paths
        .Where(path => !IsOfMaps(Path.GetFileNameWithoutExtension(path))).Select(ReferenceOfFile);

    /// <summary>Whether a name is one of the platform's that maps do not refer to: one assembly from two places is
    /// an error.</summary>
    private static bool IsOther(string name) =>
        IsOfPlatform(name) && !IsOfMaps(name);

    private static bool IsOfMaps(string name) =>
        Array.Exists(OfMaps, assembly => assembly.GetName().Name == name);

    private static bool IsOfPlatform(string? name) =>
        name is "netstandard" or "mscorlib" || name?.StartsWith("System.", StringComparison.Ordinal) == true;

    /// <summary>The platform's assemblies that this one and the program refer to, if they have no files: a single-file
    /// program has its runtime inside.</summary>
    private static IEnumerable<Assembly> LoadedPlatform()
    {
        HashSet<string> seen = [];
        Stack<Assembly> left = new(
            [typeof(CodeAssembly).Assembly, Assembly.GetEntryAssembly() ?? typeof(CodeAssembly).Assembly]);
        while (left.TryPop(out Assembly? assembly))
        {
            foreach (AssemblyName name in assembly.GetReferencedAssemblies())
            {
                if (IsOfPlatform(name.Name) && seen.Add(name.Name!))
                {
                    Assembly referred = Assembly.Load(name);
                    left.Push(referred);
                    yield return referred;
                }
            }
        }
    }

    private static MetadataReference ReferenceOfFile(string path) =>
        References.GetOrAdd(path, file => MetadataReference.CreateFromFile(file));

    /// <summary>One reference for each assembly, for all compilations: reading it again would be most of their work. It
    /// is made of the loaded assembly, as the assemblies of a single-file program are in no file.</summary>
    private static MetadataReference Reference(Assembly assembly) => References.GetOrAdd(
        assembly.GetName().FullName,
        (name, loaded) => LoadedMetadata.TryGet(loaded, out nint address, out int sizeBytes)
            ? AssemblyMetadata.Create(ModuleMetadata.CreateFromMetadata(address, sizeBytes)).GetReference(display: name)
            : throw new InvalidOperationException($"'{name}' has no metadata to compile with."),
        assembly);

    [GeneratedRegex(@"/\*@(\d+):(\d+)\*/")]
    private static partial Regex Mark();
}

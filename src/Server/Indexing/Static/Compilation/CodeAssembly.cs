using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Globalization;
using System.Reflection;
using System.Runtime.Loader;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Emit;
using Microsoft.CodeAnalysis.Text;

namespace Raven.Server.Indexing.Static.Compilation;

/// <summary>
/// Classes that were compiled from a definition, in a load context of their own: when the last object of them is gone
/// after <see cref="Dispose"/>, their code is, too.
/// </summary>
internal sealed partial class CodeAssembly : IDisposable
{
    private const string Usings = "global using System; global using System.Collections.Generic; "
        + "global using System.Linq; global using System.Text; global using Raven.Search; "
        + "global using Raven.Search.Analysis;";

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

    /// <summary>An object of a class, by its name.</summary>
    internal T Create<T>(string className) => (T)Activator.CreateInstance(_assembly.GetType(className, true)!)!;

    /// <summary>Compiles.</summary>
    /// <param name="code">The code of the classes.</param>
    /// <param name="sources">Additional sources, parsed.</param>
    /// <param name="assemblies">Additional assemblies.</param>
    /// <exception cref="MapTextException">C# refuses it; says where in the text of the map.</exception>
    internal static CodeAssembly Compile(
        string code, IReadOnlyList<SyntaxTree> sources, AdditionalAssemblies assemblies)
    {
        SyntaxTree tree = CSharpSyntaxTree.ParseText(code);
        bool isWide = sources.Count > 0 || assemblies.Any;
        CSharpCompilation compilation = CSharpCompilation.Create(
            "index", [tree, .. sources],
            isWide ? AllReferences().Concat(assemblies.Paths.Select(Reference)).Distinct() : MapReferences(),
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
    /// <exception cref="MapTextException">C# refuses it; says where.</exception>
    internal static CodeAssembly CompileText(string text)
    {
        NestingGuard.Check(text);
        SyntaxTree tree = CSharpSyntaxTree.ParseText(text);
        CSharpCompilation compilation = CSharpCompilation.Create(
            "extension", [tree, CSharpSyntaxTree.ParseText(Usings)],
            AllReferences().Append(Reference(typeof(Search.FieldComparator).Assembly.Location)), CompileOptions);
        using MemoryStream image = new();
        EmitResult result = compilation.Emit(image);
        if (!result.Success)
        {
            Diagnostic first = result.Diagnostics.First(problem => problem.Severity == DiagnosticSeverity.Error);
            LinePosition start = first.Location.GetLineSpan().StartLinePosition;
            throw new MapTextException(
                first.GetMessage(CultureInfo.InvariantCulture), start.Line + 1, start.Character + 1);
        }

        image.Position = 0;
        AssemblyLoadContext context = new("extension", isCollectible: true);
        return new CodeAssembly(context, context.LoadFromStream(image));
    }

    /// <summary>An object of the one class of this name, in whichever namespace.</summary>
    /// <exception cref="MapTextException">There is no such class, or none that can be made.</exception>
    internal T CreateNamed<T>(string className)
        where T : class
    {
        Type? type = _assembly.GetTypes().FirstOrDefault(one => one.Name == className);
        if (type is null || !type.IsAssignableTo(typeof(T)) || type.IsAbstract
            || type.GetConstructor(Type.EmptyTypes) is null)
        {
            throw new MapTextException(
                $"expected a class '{className}' that is a {typeof(T).FullName}, is not abstract, and has a public "
                + "constructor without parameters", 1, 1);
        }

        try
        {
            return (T)Activator.CreateInstance(type)!;
        }
        catch (TargetInvocationException failure)
        {
            throw new MapTextException(
                $"the constructor of '{className}' failed: {failure.InnerException?.Message}", 1, 1);
        }
    }

    /// <summary>Parses an additional source.</summary>
    /// <exception cref="MapTextException">It is no C#.</exception>
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

    private static MapTextException Refused(ImmutableArray<Diagnostic> problems, SyntaxTree tree, string code)
    {
        Diagnostic first = problems.First(problem => problem.Severity == DiagnosticSeverity.Error);
        FileLinePositionSpan span = first.Location.GetLineSpan();
        string message = first.GetMessage(CultureInfo.InvariantCulture);
        if (first.Location.SourceTree != tree || span.Path.Length > 0)
        {
            return new MapTextException(
                $"{message} (additional source '{span.Path}')", span.StartLinePosition.Line + 1,
                span.StartLinePosition.Character + 1);
        }

        // The marks say which place of the map the code before them was made of.
        Match mark = Mark().Matches(code[..Math.Min(code.Length, first.Location.SourceSpan.End)]).LastOrDefault()
            ?? Match.Empty;
        return new MapTextException(
            message,
            mark.Success ? int.Parse(mark.Groups[1].Value, CultureInfo.InvariantCulture) : 1,
            mark.Success ? int.Parse(mark.Groups[2].Value, CultureInfo.InvariantCulture) : 1);
    }

    private static IEnumerable<MetadataReference> MapReferences() => new[]
    {
        typeof(object).Assembly.Location, Assembly.Load("System.Runtime").Location,
        typeof(CodeAssembly).Assembly.Location, typeof(Blittable.Reading.BlittableValue).Assembly.Location,
    }.Distinct().Select(Reference);

    private static IEnumerable<MetadataReference> AllReferences() =>
        ((string?)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES") ?? string.Empty)
            .Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
            .Where(path => Path.GetFileName(path).StartsWith("System.", StringComparison.Ordinal)
                || Path.GetFileName(path) is "netstandard.dll" or "mscorlib.dll")
            .Select(Reference).Concat(MapReferences()).Distinct();

    /// <summary>One reference a file for all compilations: reading it again would be the most of their work.</summary>
    private static MetadataReference Reference(string path) =>
        References.GetOrAdd(path, file => MetadataReference.CreateFromFile(file));

    [GeneratedRegex(@"/\*@(\d+):(\d+)\*/")]
    private static partial Regex Mark();
}

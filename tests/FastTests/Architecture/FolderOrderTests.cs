using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace FastTests.Architecture;

/// <summary>
/// Inside a project, folders have an order from bottom to top, and a type refers to those of its own folder and of the
/// folders below: by what the compiled assembly refers to, as a <c>using</c> line does not say what a file sees of the
/// namespaces around it.
/// </summary>
public sealed class FolderOrderTests
{
    /// <summary>
    /// The folders of each project, the lowest first; "" is the project's own folder, and what lies in a folder of a
    /// folder belongs to the upper one.
    /// </summary>
    private static readonly Dictionary<string, string[]> Orders = new()
    {
        ["Raven.Blittable"] =
        [
            "Text", "Compression", "Memory", "Format", "Reading", "Writing", "Json", "Binding", "Contexts",
        ],
        ["Raven.Scripting"] =
        [
            "Text", "Hosting", "Syntax", "Runtime", "Documents", "Execution", "Compilation", "Library",
            "HostFunctions", "",
        ],
        ["Raven.Search"] =
        [
            "Buffers", "Analysis", "Fields", "Spatial", "Vectors", "Segments", "Automata", "", "Queries", "Searchers",
        ],
        ["Raven.Search.Lucene"] = ["Analysis", "Engine"],
        ["Raven.Storage"] =
        [
            "Errors", "Files", "Platform", "Options", "Paging", "Journal", "Log", "Trees", "Streams", "Tables",
            "Structures", "Checks", "Recovery", "Transactions", "GroupCommit", "Compaction", "", "Backup",
            "Replication",
        ],
        ["Raven.Documents"] =
        [
            "Ids", "Values", "Schemas", "Settings", "Sweeps", "Rows", "Rules", "Changes", "Scripts", "Commands",
            "CompareExchange", "Attachments", "Counters", "TimeSeries", "",
            "Json", "Revisions", "Operations", "Patching", "Indexing", "Queries", "Subscriptions", "Catalog",
            "Smuggler", "Backups", "Monitoring",
        ],
        ["Raven.Server"] = ["Options", "Diagnostics", "Http", "Samples", "Setup", "", "Handlers"],
        ["Raven.Security"] =
            ["Rights", "Files", "Certificates", "Keys", "Floods", "Secrets", "Audit", "Tokens", "Registry"],
        ["Raven.Cluster"] = ["Store", "Records", "Etcd", "Replication", "Hosting"],
        ["Raven.CommandLine"] = ["Output", "Import", "Inspect", "Admin", "Service", "Shell", ""],
        ["Raven.Client"] = ["Exceptions", "Json", "Http", "Documents", "ServerWide"],
        ["Raven.TestDriver"] = [""],
        ["Raven.DependencyInjection"] = [""],
    };

    /// <summary>One for all compilations, which share what they read of it.</summary>
    private static readonly MetadataReference CoreLibrary =
        MetadataReference.CreateFromFile(typeof(object).Assembly.Location);

    public static TheoryData<string> Projects => [.. Orders.Keys];

    [Theory]
    [MemberData(nameof(Projects))]
    public void A_folder_refers_only_to_folders_below_it(string project) => Assert.Empty(
        UpwardReferences(
            project,
            Orders[project],
            TypeReferences.Of(File.OpenRead(Path.Combine(AppContext.BaseDirectory, AssemblyOf(project) + ".dll")))));

    [Theory]
    [MemberData(nameof(Projects))]
    public void Each_folder_of_a_project_has_its_place_in_the_order(string project)
    {
        string start = $"src/{project["Raven.".Length..]}/";
        Assert.Equal(
            SourceTree.Files.Where(file => file.Path.StartsWith(start, StringComparison.Ordinal))
                .Select(file => file.Path[start.Length..])
                .Select(path => path.Contains('/') ? path[..path.IndexOf('/')] : "")
                .Distinct().Order(),
            Orders[project].Order());
    }

    /// <summary>The library of the database needs no server: neither ours, which the compiler sees to, nor
    /// one of the platform's.</summary>
    [Fact]
    public void The_database_knows_nothing_of_a_web_server()
    {
        using PEReader file = new(
            File.OpenRead(Path.Combine(AppContext.BaseDirectory, "Raven.Documents.dll")));
        MetadataReader metadata = file.GetMetadataReader();
        string[] known = [.. metadata.AssemblyReferences
            .Select(each => metadata.GetString(metadata.GetAssemblyReference(each).Name))];
        Assert.Contains("Raven.Storage", known);
        Assert.DoesNotContain(known, name => name == "Raven.Server"
            || name.StartsWith("Microsoft.AspNetCore", StringComparison.Ordinal)
            || name.StartsWith("System.Net", StringComparison.Ordinal));
    }

    [Fact]
    public void A_reference_to_a_higher_folder_is_found()
    {
        string[] found = [.. UpwardReferences(
            "P", ["Low", "", "High"],
            [
                ("P.High.A", "P.Low.B"), ("P.High.A", "P.C"), ("P.C", "P.Low.B"), ("P.Low.Deep.D", "P.Low.B"),
                ("P.Low.B", "P.High.A"), ("P.Low.Deep.D", "P.C"), ("P.C", "P.High.Deep.E"), ("P.Low.B", "P.Odd.F"),
            ])];
        Assert.Equal(4, found.Length);
        Assert.Contains("P.Low.B refers to P.High.A", found[0], StringComparison.Ordinal);
        Assert.Contains("P.Low.Deep.D refers to P.C", found[1], StringComparison.Ordinal);
        Assert.Contains("P.C refers to P.High.Deep.E", found[2], StringComparison.Ordinal);
        Assert.Contains("P.Odd.F is in no folder of the order", found[3], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("class A : P.To;")]
    [InlineData("class A : System.IComparable<P.To> { public int CompareTo(P.To other) => 0; }")]
    [InlineData("class A { P.To field; }")]
    [InlineData("class A { P.To[] field; }")]
    [InlineData("class A { P.To Property => null; }")]
    [InlineData("class A { void Take(System.Collections.Generic.List<P.To> list) { } }")]
    [InlineData("class A<T> where T : P.To;")]
    [InlineData("class A { void Make<T>() where T : P.To { } }")]
    [InlineData("[P.To.Mark] class A;")]
    [InlineData("class A { [P.To.Mark] void Marked() { } }")]
    [InlineData("class A { object Make() => new P.To(); }")]
    [InlineData("class A { void Call() => P.To.Static(); }")]
    [InlineData("class A { void Call() => P.To.Generic<int>(); }")]
    [InlineData("class A { void Call() => Generic<P.To>(); void Generic<T>() { } }")]
    [InlineData("class A { int Read() => P.To.Field; }")]
    [InlineData("class A { System.Type Type => typeof(P.To); }")]
    [InlineData("class A { bool Is(object o) => o is P.To; }")]
    [InlineData("class A { void Catch() { try { } catch (P.To.Failure) { } } }")]
    [InlineData("class A { object Late() { System.Func<object> make = () => new P.To(); return make(); } }")]
    [InlineData("class A { async void Late() { await Task.Yield(); P.To.Static(); } }")]
    [InlineData("class A { class Nested { P.To field; } }")]
    [InlineData("delegate P.To A();")]
    public void Each_kind_of_reference_is_seen(string source)
    {
        const string target = """
            namespace P;
            public class To
            {
                public static int Field = 1;
                public static void Static() { }
                public static void Generic<T>() { }
                public class Failure : System.Exception;
                public class MarkAttribute : System.Attribute;
            }
            """;
        CSharpCompilation compilation = CSharpCompilation.Create(
            "Sample",
            [
                CSharpSyntaxTree.ParseText("namespace Q; using System.Threading.Tasks;\n" + source),
                CSharpSyntaxTree.ParseText(target),
            ],
            [CoreLibrary],
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary));
        using var assembly = new MemoryStream();
        Assert.Empty(compilation.Emit(assembly).Diagnostics.Where(each => each.Severity == DiagnosticSeverity.Error));
        assembly.Position = 0;
        Assert.Contains(
            TypeReferences.Of(assembly),
            pair => pair.From.StartsWith("Q.A", StringComparison.Ordinal) && pair.To == "P.To");
    }

    /// <summary>The program has the name under which it is started.</summary>
    private static string AssemblyOf(string project) => project == "Raven.CommandLine" ? "raven" : project;

    private static IEnumerable<string> UpwardReferences(
        string project, string[] order, IEnumerable<(string From, string To)> references)
    {
        foreach ((string from, string to) in references)
        {
            if (!from.StartsWith(project + ".", StringComparison.Ordinal)
                || !to.StartsWith(project + ".", StringComparison.Ordinal))
            {
                continue; // made by the compiler
            }

            (int low, int high) = (PlaceOf(from), PlaceOf(to));
            if (low < 0 || high < 0)
            {
                yield return $"{(low < 0 ? from : to)} is in no folder of the order.";
            }
            else if (low < high)
            {
                yield return $"{from} refers to {to}, which is in a folder above: move one of them, or " +
                    "hand the upper one in by an interface or a delegate.";
            }
        }

        int PlaceOf(string type)
        {
            string[] parts = type[(project.Length + 1)..].Split('.');
            return Array.IndexOf(order, parts.Length == 1 ? "" : parts[0]);
        }
    }
}

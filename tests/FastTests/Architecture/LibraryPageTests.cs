using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace FastTests.Architecture;

/// <summary>
/// docs/library.md has one line for each public type of the database's library, with a reason why it is public. What
/// the server does not refer to has no reason, unless compiled maps are written in it.
/// </summary>
public sealed class LibraryPageTests
{
    private const string Root = "Raven.Documents";

    /// <summary>Reasons that references of the server do not show: the compiler copies a constant, and names the class
    /// that derives in place of its base.</summary>
    private static readonly string[] Unseen = ["Compiled", "Base", "Constant"];

    private static readonly (string Type, string Reason)[] Rows = [.. RowsOf(
        File.ReadLines(Path.Combine(SourceTree.Root, "docs/library.md")))];

    [Fact]
    public void Each_public_type_has_one_line_and_a_reason()
    {
        string[] listed = [.. Rows.Select(row => row.Type)];
        string[] types = [.. PublicTypes()];
        Assert.NotEmpty(types);
        Assert.Empty(types.Except(listed));
        Assert.Empty(listed.Except(types));
        Assert.Equal(listed.Length, listed.Distinct().Count());
        Assert.DoesNotContain(Rows, row => row.Reason.Length < 10);
    }

    [Fact]
    public void The_page_says_how_many_they_are() => Assert.Contains(
        $"{PublicTypes().Count()} types are public",
        File.ReadAllText(Path.Combine(SourceTree.Root, "docs/library.md")), StringComparison.Ordinal);

    [Fact]
    public void A_type_that_the_server_does_not_refer_to_needs_another_reason()
    {
        HashSet<string> used = [.. UsedByServer()];
        Assert.NotEmpty(used);
        Assert.DoesNotContain(Rows, row => !used.Contains(row.Type)
            && !Unseen.Any(reason => row.Reason.StartsWith(reason, StringComparison.Ordinal)));
    }

    [Fact]
    public void A_line_belongs_to_the_folder_above_it()
    {
        (string, string)[] rows =
        [
            .. RowsOf(
            [
                "| `Before` | no heading |", "### The root of the library", "| type | why |", "|---|---|",
                "| `A` | One. |", "### B/C", "| `D` | Two. |", "| `E.F` | Three. |",
            ]),
        ];
        Assert.Equal(3, rows.Length);
        Assert.Equal(("Raven.Documents.A", "One."), rows[0]);
        Assert.Equal(("Raven.Documents.B.C.D", "Two."), rows[1]);
        Assert.Equal(("Raven.Documents.B.C.E.F", "Three."), rows[2]);
    }

    /// <summary>The full names of the golden file, without parameters of types.</summary>
    private static IEnumerable<string> PublicTypes() => File.ReadLines(
            Path.Combine(SourceTree.Root, "tests/FastTests/Architecture/PublicApi", Root + ".txt"))
        .Where(line => !line.StartsWith(' '))
        .Select(line => line.Split(' ').First(word => word.StartsWith(Root, StringComparison.Ordinal)).Split('<')[0]);

    private static IEnumerable<(string Type, string Reason)> RowsOf(IEnumerable<string> lines)
    {
        string? folder = null;
        foreach (string line in lines)
        {
            if (line.StartsWith("### ", StringComparison.Ordinal))
            {
                string heading = line[4..];
                folder = heading.Contains(' ') ? Root : $"{Root}.{heading.Replace('/', '.')}";
            }
            else if (folder is not null && line.StartsWith("| `", StringComparison.Ordinal))
            {
                string[] cells = line.Trim('|').Split('|');
                yield return ($"{folder}.{cells[0].Trim(' ', '`')}", cells[1].Trim());
            }
        }
    }

    private static List<string> UsedByServer()
    {
        using PEReader file = new(File.OpenRead(Path.Combine(AppContext.BaseDirectory, "Raven.Server.dll")));
        MetadataReader metadata = file.GetMetadataReader();
        return [.. metadata.TypeReferences.Select(handle => NameOf(metadata, handle))];
    }

    private static string NameOf(MetadataReader metadata, TypeReferenceHandle handle)
    {
        TypeReference type = metadata.GetTypeReference(handle);
        string name = metadata.GetString(type.Name).Split('`')[0];
        return type.ResolutionScope.Kind == HandleKind.TypeReference
            ? $"{NameOf(metadata, (TypeReferenceHandle)type.ResolutionScope)}.{name}"
            : $"{metadata.GetString(type.Namespace)}.{name}";
    }
}

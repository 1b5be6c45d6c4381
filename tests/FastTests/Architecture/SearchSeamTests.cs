using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Text;
using Raven.Documents;

namespace FastTests.Architecture;

/// <summary>
/// The database's use of the search engine is written down (docs/decisions/0008): another engine would have to offer
/// exactly that. Run with DEV_UPDATE_GOLDEN=1 to rewrite the file, then read the diff.
/// </summary>
public sealed class SearchSeamTests
{
    private const string Engine = "Raven.Search";

    [Fact]
    public void The_server_uses_of_the_search_engine_what_the_golden_file_lists()
    {
        string actual = Describe(typeof(Database).Assembly.Location);
        string path = Path.Combine(SourceTree.Root, "tests/FastTests/Architecture/SearchSeam.golden");
        if (Environment.GetEnvironmentVariable("DEV_UPDATE_GOLDEN") == "1")
        {
            File.WriteAllText(path, actual);
        }

        Assert.Equal(File.ReadAllText(path), actual);
    }

    [Fact]
    public void Only_indexes_and_queries_of_the_server_refer_to_the_search_engine()
    {
        IEnumerable<string> errors =
            from file in SourceTree.Files
            where (file.IsIn("src/Server/") || file.IsIn("src/Documents/"))
                && !file.IsIn("src/Documents/Indexing/") && !file.IsIn("src/Documents/Queries/")
            where file.Lines.Any(line => line.Contains(Engine, StringComparison.Ordinal))
            select $"{file.Path} uses {Engine}: ask the indexes or the queries of the database instead.";
        Assert.Empty(errors);
    }

    /// <summary>A line for each type of the engine that an assembly refers to, with the members that it uses.</summary>
    private static string Describe(string assembly)
    {
        using PEReader file = new(File.OpenRead(assembly));
        MetadataReader reader = file.GetMetadataReader();
        Dictionary<TypeReferenceHandle, string> names = [];
        SortedDictionary<string, SortedSet<string>> members = new(StringComparer.Ordinal);
        foreach (TypeReferenceHandle handle in reader.TypeReferences)
        {
            TypeReference type = reader.GetTypeReference(handle);
            if (type.ResolutionScope.Kind == HandleKind.AssemblyReference && reader.GetString(
                reader.GetAssemblyReference((AssemblyReferenceHandle)type.ResolutionScope).Name) == Engine)
            {
                names[handle] = $"{reader.GetString(type.Namespace)}.{reader.GetString(type.Name)}";
                members[names[handle]] = new SortedSet<string>(StringComparer.Ordinal);
            }
        }

        foreach (MemberReferenceHandle handle in reader.MemberReferences)
        {
            MemberReference member = reader.GetMemberReference(handle);
            if (member.Parent.Kind == HandleKind.TypeReference
                && names.TryGetValue((TypeReferenceHandle)member.Parent, out string? owner))
            {
                string name = reader.GetString(member.Name);
                members[owner].Add(name == ".ctor" ? "new"
                    : name.StartsWith("get_", StringComparison.Ordinal)
                        || name.StartsWith("set_", StringComparison.Ordinal) ? name[4..] : name);
            }
        }

        StringBuilder text = new();
        foreach ((string type, SortedSet<string> used) in members)
        {
            text.Append(used.Count == 0 ? type : $"{type}: {string.Join(", ", used)}").Append('\n');
        }

        return text.ToString();
    }
}

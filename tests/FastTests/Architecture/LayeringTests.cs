using System.Xml.Linq;

namespace FastTests.Architecture;

/// <summary>
/// Dependencies point one way: Blittable, then Storage, Search and Scripting, then Documents and Cluster, then
/// Server, then the program around it; Client stands apart.
/// </summary>
public sealed class LayeringTests
{
    private static readonly Dictionary<string, string[]> Allowed = new()
    {
        ["Raven.Blittable"] = [],
        ["Raven.Storage"] = ["Raven.Blittable"],
        ["Raven.Scripting"] = ["Raven.Blittable"],
        ["Raven.Search"] = ["Raven.Blittable", "Raven.Storage"],
        ["Raven.Search.Lucene"] = ["Raven.Blittable", "Raven.Storage", "Raven.Search"],
        ["Raven.Documents"] =
        [
            "Raven.Blittable", "Raven.Storage", "Raven.Scripting", "Raven.Search", "Raven.Search.Lucene",
        ],
        ["Raven.Security"] = [],
        ["Raven.Cluster"] = ["Raven.Blittable", "Raven.Storage"],
        ["Raven.Server"] =
        [
            "Raven.Blittable", "Raven.Storage", "Raven.Scripting", "Raven.Search", "Raven.Documents", "Raven.Security",
            "Raven.Cluster",
        ],
        ["Raven.CommandLine"] =
            ["Raven.Blittable", "Raven.Storage", "Raven.Security", "Raven.Cluster", "Raven.Server"],
        ["Raven.Client"] = [],
        ["Raven.TestDriver"] = ["Raven.Client", "Raven.Server"],
        ["Raven.DependencyInjection"] = ["Raven.Client"],
    };

    [Fact]
    public void A_project_refers_only_to_the_layers_below_it()
    {
        List<string> errors = [];
        foreach (string path in ProjectsOfTheProduct())
        {
            string project = Path.GetFileNameWithoutExtension(path);
            string[] allowed = Allowed.GetValueOrDefault(project, ["(no layer: add it here)"]);
            IEnumerable<string> references = XDocument.Load(Path.Combine(SourceTree.Root, path))
                .Descendants("ProjectReference")
                .Select(reference => Path.GetFileNameWithoutExtension((string)reference.Attribute("Include")!));
            errors.AddRange(references.Except(allowed).Select(reference => $"{project} refers to {reference}."));
        }

        Assert.Empty(errors);
    }

    [Fact]
    public void A_namespace_says_the_project_and_the_folder_of_its_file()
    {
        IEnumerable<string> errors =
            from file in SourceTree.Files
            where file.Path.StartsWith("src/", StringComparison.Ordinal)
            let expected = "namespace Raven." + string.Join('.', file.Path.Split('/')[1..^1]) + ";"
            let actual = NamespaceOf(file)
            where actual is not null && actual != expected
            select $"{file.Path}: {actual} should be {expected}";
        Assert.Empty(errors);
    }

    [Fact]
    public void A_project_shows_its_internals_only_to_tests_their_tools_and_the_program_around_all()
    {
        IEnumerable<string> errors =
            from path in SourceTree.Find("*.csproj")
            from friend in XDocument.Load(Path.Combine(SourceTree.Root, path)).Descendants("InternalsVisibleTo")
            let name = (string)friend.Attribute("Include")!
            where name is not ("FastTests" or "SlowTests" or "Bench" or "Stress" or "raven")

            // The other engine has the queries and the terms of ours (docs/decisions/0025).
            where !(name == "Raven.Search.Lucene" && path.EndsWith("Raven.Search.csproj", StringComparison.Ordinal))
            select $"{path}: {name} sees its internals.";
        Assert.Empty(errors);
    }

    [Fact]
    public void Only_Blittable_and_Storage_are_built_with_unsafe_code()
    {
        IEnumerable<string> errors =
            from path in ProjectsOfTheProduct()
            let project = Path.GetFileNameWithoutExtension(path)
            where project is not ("Raven.Blittable" or "Raven.Storage")
            where XDocument.Load(Path.Combine(SourceTree.Root, path)).Descendants("AllowUnsafeBlocks")
                .Any(element => (string)element == "true")
            select $"{path}: AllowUnsafeBlocks";
        Assert.Empty(errors);
    }

    [Fact]
    public void Only_one_project_refers_to_Lucene()
    {
        IEnumerable<string> projects =
            from path in ProjectsOfTheProduct()
            where XDocument.Load(Path.Combine(SourceTree.Root, path)).Descendants("PackageReference")
                .Any(package => ((string)package.Attribute("Include")!).StartsWith("Lucene.", StringComparison.Ordinal))
            select Path.GetFileNameWithoutExtension(path);
        Assert.Equal(["Raven.Search.Lucene"], projects);
    }

    private static IEnumerable<string> ProjectsOfTheProduct() =>
        SourceTree.Find("*.csproj").Where(path => path.StartsWith("src/", StringComparison.Ordinal));

    private static string? NamespaceOf(SourceFile file) =>
        file.Lines.FirstOrDefault(line => line.StartsWith("namespace ", StringComparison.Ordinal))?.Trim();
}

using System.Text;
using System.Text.Json;
using System.Xml.Linq;

namespace FastTests.Architecture;

/// <summary>
/// THIRD-PARTY-NOTICES lists the packages that go out with the product, as they were restored, and has the text of each
/// licence that it names.
/// </summary>
public sealed class ThirdPartyNoticesTests
{
    private const string Licences = "\n## Licences\n";

    /// <summary>What packages do not say themselves in a form that can be read: it was read by people.</summary>
    private static readonly Dictionary<string, string> LicencesByHand = new()
    {
        ["J2N"] = "Apache-2.0",
        ["K4os.Compression.LZ4"] = "MIT",
        ["Lucene.Net"] = "Apache-2.0",
        ["Lucene.Net.Analysis.Common"] = "Apache-2.0",
    };

    /// <summary>Ports: what they are ports of has a licence of its own.</summary>
    private static readonly Dictionary<string, string> Origins = new()
    {
        ["J2N"] = "Apache Harmony, Copyright The Apache Software Foundation, Apache-2.0",
        ["K4os.Compression.LZ4"] = "LZ4, Copyright (c) Yann Collet, BSD-2-Clause",
        ["Lucene.Net"] = "Lucene, and of Brics automaton, Copyright (c) 2001-2009 Anders Moeller, BSD-3-Clause",
        ["Lucene.Net.Analysis.Common"] = "Lucene, of Snowball, Copyright (c) 2001, Dr Martin Porter and 2002, Richard "
            + "Boulton, and of KStem, Copyright (c) 2003, Center for Intelligent Information Retrieval, University of "
            + "Massachusetts, Amherst, BSD-3-Clause",
        ["System.IO.Hashing"] = "xxHash, Copyright (c) Yann Collet, BSD-2-Clause",
        ["ZstdSharp.Port"] = "Zstandard, Copyright (c) Meta Platforms, Inc. and affiliates, BSD-3-Clause",
    };

    [Fact]
    public void The_notices_list_the_packages_of_the_restore()
    {
        string path = Path.Combine(SourceTree.Root, "THIRD-PARTY-NOTICES");
        string text = File.ReadAllText(path).ReplaceLineEndings("\n");
        int end = text.IndexOf(Licences, StringComparison.Ordinal);
        Assert.True(end > 0, $"{path} has no part '{Licences.Trim()}'.");
        string start = text[..text.IndexOf("\n- ", StringComparison.Ordinal)];
        string expected = start + "\n" + Lines();
        if (Environment.GetEnvironmentVariable("DEV_UPDATE_GOLDEN") == "1")
        {
            File.WriteAllText(path, expected + text[end..]);
            return;
        }

        Assert.True(
            text[..end] == expected,
            $"The packages have changed: run this test with DEV_UPDATE_GOLDEN=1. {path} should begin with\n{expected}");
    }

    [Fact]
    public void The_notices_have_the_text_of_each_licence()
    {
        string text = File.ReadAllText(Path.Combine(SourceTree.Root, "THIRD-PARTY-NOTICES")).ReplaceLineEndings("\n");
        foreach (string licence in Shipped().Select(package => LicenceOf(package.Id, package.Specification))
            .Concat(Origins.Values.Select(origin => origin.Split(", ")[^1])).Distinct())
        {
            Assert.Contains($"\n### {licence}\n", text, StringComparison.Ordinal);
        }
    }

    private static string Lines()
    {
        StringBuilder lines = new();
        foreach ((string id, string version, XElement specification) in Shipped())
        {
            string copyright = Value(specification, "copyright") is { Length: > 0 } given
                ? given
                : $"Copyright (c) {Value(specification, "authors")}";
            lines.Append($"- {id} {version}, {LicenceOf(id, specification)}\n  {copyright}\n");
            if (Origins.TryGetValue(id, out string? origin))
            {
                lines.Append($"  contains a port of {origin}\n");
            }
        }

        return lines.ToString();
    }

    private static string LicenceOf(string id, XElement specification) =>
        LicencesByHand.GetValueOrDefault(id) ?? Value(specification, "license");

    private static string Value(XElement specification, string name) =>
        specification.Descendants().FirstOrDefault(element => element.Name.LocalName == name)?.Value.Trim() ?? "";

    /// <summary>The packages of which files go out with a project of <c>src</c>; analyzers and tasks do not.</summary>
    private static List<(string Id, string Version, XElement Specification)> Shipped()
    {
        SortedDictionary<string, (string, string, XElement)> packages = new(StringComparer.OrdinalIgnoreCase);
        IEnumerable<string> folders =
            from path in SourceTree.Find("*.csproj")
            where path.StartsWith("src/", StringComparison.Ordinal)
            select Path.Combine(SourceTree.Root, Path.GetDirectoryName(path)!);
        foreach (string folder in folders)
        {
            using JsonDocument restored = JsonDocument.Parse(
                File.ReadAllText(Path.Combine(folder, "obj", "project.assets.json")));
            string[] caches =
                [.. restored.RootElement.GetProperty("packageFolders").EnumerateObject().Select(cache => cache.Name)];
            foreach (JsonProperty package in restored.RootElement.GetProperty("targets").EnumerateObject()
                .SelectMany(target => target.Value.EnumerateObject()).Where(IsShipped))
            {
                string[] name = package.Name.Split('/');
                packages[name[0]] = (name[0], name[1], Specification(caches, name[0], name[1]));
            }
        }

        return [.. packages.Values];
    }

    private static bool IsShipped(JsonProperty library) =>
        library.Value.GetProperty("type").GetString() == "package"
        && new[] { "runtime", "native", "runtimeTargets", "resource" }.Any(
            kind => library.Value.TryGetProperty(kind, out JsonElement files)
                && files.EnumerateObject().Any(file => !file.Name.EndsWith("_._", StringComparison.Ordinal)));

    private static XElement Specification(string[] caches, string id, string version)
    {
        string lower = id.ToLowerInvariant();
        string relative = Path.Combine(lower, version.ToLowerInvariant(), lower + ".nuspec");
        return XElement.Load(caches.Select(cache => Path.Combine(cache, relative)).First(File.Exists));
    }
}

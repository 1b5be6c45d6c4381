using System.Text.Json;

namespace FastTests.Architecture;

/// <summary>Packages of npm come from whatever registry a machine is set up for: no file of ours says which.</summary>
public sealed class NodePackagesTests
{
    private const string Omitting = "omit-lockfile-registry-resolved=true";

    [Fact]
    public void Lock_files_name_no_registry()
    {
        string[] locks = [.. SourceTree.Find("package-lock.json")];
        Assert.Contains("src/Studio/package-lock.json", locks);
        foreach (string path in locks)
        {
            using JsonDocument file = JsonDocument.Parse(File.ReadAllText(Path.Combine(SourceTree.Root, path)));
            foreach (JsonProperty package in file.RootElement.GetProperty("packages").EnumerateObject())
            {
                Assert.False(
                    package.Value.TryGetProperty("resolved", out JsonElement resolved),
                    $"{path}: {package.Name} is resolved to {resolved}. Its folder needs an .npmrc with {Omitting}.");
            }
        }
    }

    [Fact]
    public void Beside_each_lock_file_npm_is_told_to_name_no_registry()
    {
        foreach (string path in SourceTree.Find("package-lock.json"))
        {
            string settings = Path.Combine(SourceTree.Root, Path.GetDirectoryName(path)!, ".npmrc");
            Assert.True(File.Exists(settings), $"{settings} is missing.");
            string[] lines = File.ReadAllLines(settings);
            Assert.Contains(Omitting, lines);
            Assert.DoesNotContain(lines, line => line.Contains("://", StringComparison.Ordinal));
        }
    }
}

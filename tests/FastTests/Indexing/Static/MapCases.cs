using FastTests.Architecture;

namespace FastTests.Indexing.Static;

/// <summary>Texts of maps and what becomes of them, from a file: a line each, the second one after an arrow.</summary>
internal static class MapCases
{
    private const string Arrow = "    => ";

    internal static IReadOnlyList<(string Map, string Expected)> Read(string name)
    {
        string[] lines = File.ReadAllLines(Path.Combine(SourceTree.Root, "tests/FastTests/Indexing/Static", name));
        Assert.True(lines.Length > 20 && lines.Length % 2 == 0, name);
        return
        [
            .. lines.Chunk(2).Select(pair => (
                pair[0].Replace("\\n", "\n", StringComparison.Ordinal),
                pair[1].StartsWith(Arrow, StringComparison.Ordinal)
                    ? pair[1][Arrow.Length..]
                    : throw new InvalidDataException(pair[1]))),
        ];
    }
}

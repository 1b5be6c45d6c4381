namespace FastTests.Architecture;

/// <summary>What the pages show of C# is a piece of a program that is compiled and run by a test.</summary>
public sealed class DocBlockTests
{
    [Theory]
    [InlineData("README.md", "samples", 5)]
    [InlineData("docs/scripting.md", "tests/FastTests/Scripting", 1)]
    [InlineData("src/Client/README.md", "samples", 2)]
    [InlineData("src/Documents/README.md", "samples", 1)]
    [InlineData("src/Server/README.md", "samples", 1)]
    [InlineData("src/TestDriver/README.md", "tests/FastTests/Client", 1)]
    [InlineData("src/DependencyInjection/README.md", "samples", 2)]
    public void Each_code_block_of_a_page_is_part_of_a_program_that_is_built(string page, string folder, int blocksMin)
    {
        string[] blocks = DocBlocks.Of(page, "csharp");
        Assert.True(blocks.Length >= blocksMin, $"Only {blocks.Length} blocks were found in {page}.");
        string[] programs =
        [
            .. SourceTree.Files.Where(file => file.IsIn(folder + "/"))
                .Select(file => DocBlocks.Squeeze(string.Join('\n', file.Lines))),
        ];
        Assert.All(blocks, block => Assert.Contains(
            programs, program => program.Contains(DocBlocks.Squeeze(block), StringComparison.Ordinal)));
    }
}

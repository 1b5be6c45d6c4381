using System.Text.RegularExpressions;
using Raven.CommandLine;

namespace FastTests.Tools;

public sealed partial class InspectBlittableTests : IDisposable
{
    private readonly string _file = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());

    public void Dispose() => File.Delete(_file);

    [Theory]
    [InlineData("""{"Name":"Oren","Dogs":["Arava","Oscar"],"n":[1,2.5,null,1e9,"a\nb"],"e":{},"z":{"b":null,"a":0}}""")]
    [InlineData("[]")]
    public void Inspect_draws_every_byte_of_a_document_once(string json)
    {
        foreach (string[] options in (string[][])[[], ["--to-disk"]])
        {
            File.WriteAllText(_file, json);
            StringWriter drawing = new();
            Assert.Equal(0, Run(drawing, [_file, .. options]));
            string[] lines = drawing.ToString().TrimEnd().ReplaceLineEndings("\n").Split('\n');
            int size = int.Parse(SizeOfDocument().Match(lines[0]).Groups[1].Value, null);
            int next = 0;
            foreach (string line in lines.Skip(1))
            {
                Assert.Equal(next, int.Parse(line[..6], null));
                next += HexBytes().Match(line[8..]).Value.Split(' ', StringSplitOptions.RemoveEmptyEntries).Length;
            }

            Assert.Equal(size, next);
        }
    }

    [Fact]
    public void Inspect_reports_a_file_that_is_neither_a_document_nor_JSON()
    {
        File.WriteAllText(_file, "hello");
        StringWriter said = new();
        Assert.Equal(3, Run(said, _file));
        Assert.Contains("no JSON: line 1, column 1", said.ToString(), StringComparison.Ordinal);
        Assert.Equal(2, Run(said));
    }

    private static int Run(StringWriter output, params string[] arguments) => RavenCommand
        .RunAsync(["inspect", "blittable", .. arguments], output, output).GetAwaiter().GetResult();

    [GeneratedRegex(@"document of (\d+) bytes")]
    private static partial Regex SizeOfDocument();

    [GeneratedRegex(@"^([0-9A-F]{2} ?)+")]
    private static partial Regex HexBytes();
}

using SlowTests.Support;

namespace SlowTests.PowerShell;

/// <summary>build.ps1 is for machines that this project is not built on: at least its syntax is checked here.</summary>
public sealed class PowerShellTests
{
    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "node")]
    public void The_build_script_for_PowerShell_parses()
    {
        string folder = NodeProgram.FolderOf("PowerShell");
        string script = Path.Combine(NodeProgram.Root, "build.ps1");
        List<string> findings = [];
        (int code, string errors) = NodeProgram.Run(
            folder, ["check.mjs", script], TimeSpan.FromMinutes(5), findings.Add);
        Assert.Empty(findings);
        Assert.True(code == 0, errors);
    }

    [Fact]
    [Trait(Category.Shard, "node")]
    public void The_parse_check_finds_a_broken_PowerShell_script()
    {
        string script = Path.GetTempFileName();
        File.WriteAllText(script, "if ($x { foo");
        try
        {
            List<string> findings = [];
            NodeProgram.Run(
                NodeProgram.FolderOf("PowerShell"), ["check.mjs", script], TimeSpan.FromMinutes(5), findings.Add);
            Assert.NotEmpty(findings);
        }
        finally
        {
            File.Delete(script);
        }
    }
}

using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace FastTests.Architecture;

/// <summary>What the published program is without: nothing of it is missed.</summary>
public sealed class PublishProfileTests
{
    private static readonly XDocument Profile = XDocument.Load(Path.Combine(
        SourceTree.Root, "src", "CommandLine", "Properties", "PublishProfiles", "folder.pubxml"));

    private static readonly string[] Frameworks = ["Microsoft.AspNetCore.App", "Microsoft.NETCore.App"];

    [Fact]
    public void No_assembly_of_the_program_refers_to_what_is_left_out_of_the_framework()
    {
        Regex leftOut = LeftOut();
        HashSet<string> reached = Reached("raven");
        Assert.Contains("Microsoft.AspNetCore.Server.Kestrel.Core", reached);
        Assert.Contains("Lucene.Net", reached);
        Assert.DoesNotContain(reached, leftOut.IsMatch);
        Assert.Matches(leftOut, "Microsoft.AspNetCore.Mvc.Core");
        Assert.Matches(leftOut, "Microsoft.AspNetCore.Components");
        Assert.DoesNotMatch(leftOut, "Microsoft.AspNetCore.Http.Extensions");
    }

    [Fact]
    public void Each_assembly_that_is_not_compiled_beforehand_is_one_of_the_program()
    {
        string[] names =
        [
            .. Profile.Descendants("PublishReadyToRunExclude")
                .SelectMany(item => item.Attribute("Include")!.Value.Split(';')),
        ];
        Assert.Contains("Microsoft.CodeAnalysis.dll", names);
        HashSet<string> reached = Reached("raven");
        Assert.All(names, name => Assert.Contains(Path.GetFileNameWithoutExtension(name), reached));
    }

    /// <summary>The pattern of the profile, put together as the build does it.</summary>
    private static Regex LeftOut()
    {
        string web = "";
        foreach (XElement part in Profile.Descendants("Web"))
        {
            web = part.Value.Replace("$(Web)", web, StringComparison.Ordinal);
        }

        string pattern = Profile.Descendants("LeftOut").Single().Value;
        string others = Profile.Descendants("Others").Single().Value;
        return new Regex(pattern.Replace("$(Web)", web, StringComparison.Ordinal)
            .Replace("$(Others)", others, StringComparison.Ordinal));
    }

    /// <summary>An assembly and all to which it refers, directly or by others.</summary>
    private static HashSet<string> Reached(string first)
    {
        string framework = RuntimeEnvironment.GetRuntimeDirectory();
        string shared = Path.Combine(framework, "..", "..");
        string version = Path.GetFileName(framework.TrimEnd(Path.DirectorySeparatorChar));
        string[] folders =
            [AppContext.BaseDirectory, .. Frameworks.Select(name => Path.Combine(shared, name, version))];
        HashSet<string> reached = [first];
        Queue<string> left = new([first]);
        while (left.TryDequeue(out string? name))
        {
            string? path = folders.Select(folder => Path.Combine(folder, name + ".dll")).FirstOrDefault(File.Exists);
            if (path is null)
            {
                continue;
            }

            using PEReader file = new(File.OpenRead(path));
            MetadataReader metadata = file.GetMetadataReader();
            foreach (AssemblyReferenceHandle each in metadata.AssemblyReferences)
            {
                string other = metadata.GetString(metadata.GetAssemblyReference(each).Name);
                if (reached.Add(other))
                {
                    left.Enqueue(other);
                }
            }
        }

        return reached;
    }
}

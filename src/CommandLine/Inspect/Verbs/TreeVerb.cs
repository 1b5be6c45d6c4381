using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json.Nodes;
using Raven.CommandLine.Output;
using Raven.Storage;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.CommandLine.Inspect.Verbs;

/// <summary>
/// Lists the structures of an environment with their sizes and fill, or draws the pages of one, level by level. Opens
/// it as the server does, so a journal that a crash left is applied first.
/// </summary>
internal static class TreeVerb
{
    private const int KeyBytesShown = 24;

    internal static int Run(string folder, string? structure, VerbOutput output)
    {
        if (!VerbRun.IsEnvironment(folder, output.Lines))
        {
            return ExitCode.WrongUsage;
        }

        using StorageEnvironment environment = StorageEnvironment.Open(
            new StorageOptions { FileSystem = new RealFileSystem(folder) });
        using ReadTransaction reader = environment.BeginRead();
        if (structure is null)
        {
            List(reader, output);
            return ExitCode.Success;
        }

        if (!reader.Catalog.TryGetRoots(Encoding.UTF8.GetBytes(structure), out var records))
        {
            output.Lines.WriteLine($"There is no structure '{structure}'.");
            return ExitCode.WrongUsage;
        }

        foreach (StructureRoot root in MemoryMarshal.Cast<byte, StructureRoot>(records.Span))
        {
            Draw(reader, root, output.Lines);
        }

        return ExitCode.Success;
    }

    private static void List(ReadTransaction reader, VerbOutput output)
    {
        var structures = new JsonArray();
        output.Lines.WriteLine(
            "structure                        kind       entries  depth  leaves  branches  overflow  fill");
        byte[] name = [];
        var sizes = new List<StructureSize>();
        while (StructureSizes.TryAddNext(reader, ref name, readsPages: true, sizes))
        {
            foreach (StructureSize size in sizes)
            {
                structures.Add(Describe(name, size));
                output.Lines.WriteLine(
                    $"{(size.Part == 0 ? Show(name) : "  its part"),-32} {size.Kind,-9} {size.Count,8}  " +
                    $"{size.Depth,5}  {size.LeafPages,6}  {size.BranchPages,8}  {size.OverflowPages,8}  " +
                    (size.Fill is { } fill ? $"{100 * fill,3:F0}%" : "   -"));
            }

            sizes.Clear();
        }

        output.Set("Structures", structures);
    }

    private static JsonObject Describe(byte[] name, in StructureSize size) => new()
    {
        ["Name"] = Show(name),
        ["Part"] = JsonValue.Create(size.Part),
        ["Kind"] = size.Kind.ToString(),
        ["Entries"] = JsonValue.Create(size.Count),
        ["Depth"] = JsonValue.Create(size.Depth),
        ["LeafPages"] = JsonValue.Create(size.LeafPages),
        ["BranchPages"] = JsonValue.Create(size.BranchPages),
        ["OverflowPages"] = JsonValue.Create(size.OverflowPages),
        ["Fill"] = JsonValue.Create(size.Fill),
    };

    private static void Draw(ReadTransaction reader, in StructureRoot root, TextWriter output)
    {
        output.WriteLine($"{root.Kind}: {root.Count} entries, {root.Depth} levels");
        if (root.RootPage != 0 && root.Kind is StructureKind.Tree or StructureKind.FixedTree)
        {
            DrawPage(reader, root, root.RootPage, root.Depth - 1, output);
        }
    }

    private static void DrawPage(
        ReadTransaction reader, in StructureRoot root, long number, int levelsBelow, TextWriter output)
    {
        string indent = new(' ', 2 * (root.Depth - levelsBelow));
        List<long> children = root.Kind == StructureKind.Tree
            ? DescribeTreePage(reader, number, levelsBelow, indent, output)
            : DescribeFixedPage(reader, root, number, levelsBelow, indent, output);
        foreach (long child in children)
        {
            DrawPage(reader, root, child, levelsBelow - 1, output);
        }
    }

    private static List<long> DescribeTreePage(
        ReadTransaction reader, long number, int levelsBelow, string indent, TextWriter output)
    {
        PageKind kind = levelsBelow == 0 ? PageKind.TreeLeaf : PageKind.TreeBranch;
        TreePage page = TreePage.Open(reader.GetPage(number), number, kind);
        string keys = page.Count == 0 ? "" : $", {Show(page.Key(0))} .. {Show(page.Key(page.Count - 1))}";
        output.WriteLine(
            $"{indent}page {number}, {kind}, {page.Count} entries, {100 * page.Used / TreePage.Capacity}% in use" +
            $", {page.PrefixLength} bytes of prefix{keys}");
        var children = new List<long>();
        for (int i = 0; levelsBelow > 0 && i <= page.Count; i++)
        {
            children.Add(page.Child(i));
        }

        return children;
    }

    private static List<long> DescribeFixedPage(
        ReadTransaction reader, in StructureRoot root, long number, int levelsBelow, string indent, TextWriter output)
    {
        int capacity = FixedPage.LeafCapacity(root.ValueSize);
        FixedPage page = levelsBelow == 0
            ? FixedPage.OpenLeaf(reader.GetPage(number), number, root.ValueSize, capacity)
            : FixedPage.OpenBranch(reader.GetPage(number), number);
        int room = levelsBelow == 0 ? capacity : FixedPage.BranchCapacity;
        string keys = page.Count == 0 ? "" : $", {page.Key(0)} .. {page.Key(page.Count - 1)}";
        output.WriteLine(
            $"{indent}page {number}, {(levelsBelow == 0 ? PageKind.FixedLeaf : PageKind.FixedBranch)}, " +
            $"{page.Count} entries, {100 * page.Count / room}% in use{keys}");
        var children = new List<long>();
        for (int i = 0; levelsBelow > 0 && i <= page.Count; i++)
        {
            children.Add(page.Child(i));
        }

        return children;
    }

    /// <summary>As text if it is text, otherwise in hexadecimal.</summary>
    private static string Show(ReadOnlySpan<byte> key)
    {
        ReadOnlySpan<byte> shown = key[..Math.Min(key.Length, KeyBytesShown)];
        string end = shown.Length < key.Length ? "..." : "";
        return shown.ContainsAnyExceptInRange((byte)' ', (byte)'~')
            ? Convert.ToHexStringLower(shown) + end
            : $"\"{Encoding.ASCII.GetString(shown)}\"{end}";
    }
}

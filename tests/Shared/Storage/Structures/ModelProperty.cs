using FsCheck;
using FsCheck.Fluent;

namespace Shared.Storage.Structures;

/// <summary>
/// Any list of operations leaves a structure as its model says. FsCheck makes the lists, cuts one that fails down to
/// the shortest that still does, and prints it with the seed that makes it again.
/// </summary>
internal static class ModelProperty
{
    /// <summary>Plays so many lists of so many operations.</summary>
    /// <returns>The readings beside the writer, as <see cref="ModelReaders.ReadingsBeside"/>.</returns>
    internal static long Check(ModelStructure structure, int lists, int operations, ModelSettings settings)
    {
        long readings = 0;
        Prop.ForAll(
                Arb.From(Gen.Choose(0, int.MaxValue - 1).ArrayOf(operations), Smaller),
                list => { readings += ModelRun.Play(structure, list, settings); })
            .Check(Config.QuickThrowOnFailure.WithMaxTest(lists));
        return readings;
    }

    /// <summary>Lists without some of the operations, then with smaller ones.</summary>
    private static IEnumerable<int[]> Smaller(int[] list)
    {
        for (int part = (list.Length + 1) / 2; part > 0; part /= 2)
        {
            for (int start = 0; start + part <= list.Length; start += part)
            {
                yield return [.. list[..start], .. list[(start + part)..]];
            }
        }

        for (int i = 0; i < list.Length; i++)
        {
            int plain = list[i] % ModelRun.Kinds;
            if (plain != list[i])
            {
                yield return [.. list[..i], plain, .. list[(i + 1)..]];
            }
        }
    }
}

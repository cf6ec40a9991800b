using System.Buffers;
using Newtonsoft.Json;

namespace MatchRace.NewtonsoftJson;

/// <summary>The runtime's pool of arrays, in the form in which the library asks for one.</summary>
internal sealed class CharPool : IArrayPool<char>
{
    public static readonly CharPool Shared = new();

    public char[] Rent(int minimumLength) => ArrayPool<char>.Shared.Rent(minimumLength);

    public void Return(char[]? array)
    {
        if (array is not null)
        {
            ArrayPool<char>.Shared.Return(array);
        }
    }
}

; Made of the C files of this folder by `python -m tools.native_ir`: not to be edited.
; clang version 22.1.8
; sources 911990e046fcdf77c143cc2dcfd866b25c495dab5387d29f7409ee896d07ece3

%struct.Pair = type { i64, i64 }

define void @batch(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca [16 x ptr], align 16
  %6 = alloca [32 x ptr], align 16
  %7 = load ptr, ptr %0, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %11 = load i64, ptr %9, align 8
  %12 = icmp slt i64 %1, %2
  br i1 %12, label %13, label %33

13:
  %14 = icmp sgt i64 %11, 0
  %15 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %16 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %17 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %18 = getelementptr inbounds nuw i8, ptr %5, i64 32
  %19 = getelementptr inbounds nuw i8, ptr %5, i64 40
  %20 = getelementptr inbounds nuw i8, ptr %5, i64 48
  %21 = getelementptr inbounds nuw i8, ptr %5, i64 56
  %22 = getelementptr inbounds nuw i8, ptr %5, i64 64
  %23 = getelementptr inbounds nuw i8, ptr %5, i64 72
  %24 = getelementptr inbounds nuw i8, ptr %5, i64 80
  %25 = getelementptr inbounds nuw i8, ptr %5, i64 88
  %26 = getelementptr inbounds nuw i8, ptr %5, i64 96
  %27 = getelementptr inbounds nuw i8, ptr %5, i64 104
  %28 = getelementptr inbounds nuw i8, ptr %5, i64 112
  %29 = getelementptr inbounds nuw i8, ptr %5, i64 120
  br label %30

30:
  %31 = phi i64 [ %1, %13 ], [ %329, %328 ]
  br i1 %14, label %331, label %32

32:
  br label %34

33:
  ret void

34:
  %35 = phi i8 [ %326, %324 ], [ 0, %32 ]
  %36 = phi ptr [ %327, %324 ], [ %7, %32 ]
  %37 = getelementptr inbounds nuw i8, ptr %36, i64 8
  %38 = load i64, ptr %36, align 8
  switch i64 %38, label %291 [
    i64 0, label %328
    i64 1, label %45
    i64 2, label %92
    i64 3, label %211
    i64 4, label %39
    i64 5, label %239
    i64 6, label %270
  ]

39:
  %40 = getelementptr inbounds nuw i8, ptr %36, i64 16
  %41 = load i64, ptr %40, align 8
  %42 = icmp sgt i64 %41, 0
  br i1 %42, label %43, label %324

43:
  %44 = getelementptr inbounds nuw i8, ptr %36, i64 24
  br label %221

45:
  %46 = trunc nuw i8 %35 to i1
  br i1 %46, label %324, label %47

47:
  br label %70

48:
  %49 = load i64, ptr %37, align 8
  %50 = inttoptr i64 %49 to ptr
  %51 = load ptr, ptr %5, align 16
  %52 = load ptr, ptr %15, align 8
  %53 = load ptr, ptr %16, align 16
  %54 = load ptr, ptr %17, align 8
  %55 = load ptr, ptr %18, align 16
  %56 = load ptr, ptr %19, align 8
  %57 = load ptr, ptr %20, align 16
  %58 = load ptr, ptr %21, align 8
  %59 = load ptr, ptr %22, align 16
  %60 = load ptr, ptr %23, align 8
  %61 = load ptr, ptr %24, align 16
  %62 = load ptr, ptr %25, align 8
  %63 = load ptr, ptr %26, align 16
  %64 = load ptr, ptr %27, align 8
  %65 = load ptr, ptr %28, align 16
  %66 = load ptr, ptr %29, align 8
  tail call void %50(ptr %51, ptr %52, ptr %53, ptr %54, ptr %55, ptr %56, ptr %57, ptr %58, ptr %59, ptr %60, ptr %61, ptr %62, ptr %63, ptr %64, ptr %65, ptr %66)
  %67 = getelementptr inbounds nuw i8, ptr %36, i64 16
  %68 = load i64, ptr %67, align 8
  %69 = icmp sgt i64 %68, -1
  br i1 %69, label %84, label %90

70:
  %71 = phi i64 [ 0, %47 ], [ %82, %79 ]
  %72 = getelementptr inbounds nuw i64, ptr %37, i64 %71
  %73 = getelementptr inbounds nuw i8, ptr %72, i64 16
  %74 = load i64, ptr %73, align 8
  %75 = icmp slt i64 %74, 0
  br i1 %75, label %79, label %76

76:
  %77 = getelementptr inbounds nuw ptr, ptr %6, i64 %74
  %78 = load ptr, ptr %77, align 8
  br label %79

79:
  %80 = phi ptr [ %78, %76 ], [ null, %70 ]
  %81 = getelementptr inbounds nuw ptr, ptr %5, i64 %71
  store ptr %80, ptr %81, align 8
  %82 = add nuw nsw i64 %71, 1
  %83 = icmp eq i64 %82, 16
  br i1 %83, label %48, label %70

84:
  %85 = getelementptr inbounds nuw ptr, ptr %6, i64 %68
  %86 = load ptr, ptr %85, align 8
  %87 = load i32, ptr %86, align 4
  %88 = icmp ne i32 %87, 0
  %89 = zext i1 %88 to i8
  br label %90

90:
  %91 = phi i8 [ 0, %48 ], [ %89, %84 ]
  br label %324

92:
  %93 = getelementptr inbounds nuw i8, ptr %36, i64 32
  %94 = load i64, ptr %93, align 8
  %95 = getelementptr inbounds ptr, ptr %6, i64 %94
  %96 = load ptr, ptr %95, align 8
  %97 = getelementptr inbounds nuw i8, ptr %36, i64 40
  %98 = load i64, ptr %97, align 8
  %99 = getelementptr inbounds ptr, ptr %6, i64 %98
  %100 = load ptr, ptr %99, align 8
  %101 = load i64, ptr %37, align 8
  %102 = getelementptr inbounds nuw i8, ptr %36, i64 16
  %103 = load i64, ptr %102, align 8
  %104 = getelementptr inbounds nuw i8, ptr %36, i64 24
  %105 = load i64, ptr %104, align 8
  %106 = icmp sgt i64 %103, 0
  switch i64 %101, label %177 [
    i64 4, label %107
    i64 8, label %142
  ]

107:
  br i1 %106, label %108, label %324

108:
  %109 = icmp sgt i64 %105, 0
  br label %110

110:
  %111 = phi i64 [ 16, %108 ], [ %121, %118 ]
  %112 = phi i64 [ 0, %108 ], [ %119, %118 ]
  %113 = tail call i64 @llvm.smin.i64(i64 %103, i64 %111)
  br i1 %109, label %114, label %118

114:
  %115 = phi i64 [ %130, %127 ], [ 16, %110 ]
  %116 = phi i64 [ %128, %127 ], [ 0, %110 ]
  %117 = tail call i64 @llvm.smin.i64(i64 %105, i64 %115)
  br label %122

118:
  %119 = add nuw nsw i64 %112, 16
  %120 = icmp slt i64 %119, %103
  %121 = add nuw i64 %111, 16
  br i1 %120, label %110, label %324

122:
  %123 = phi i64 [ %112, %114 ], [ %132, %131 ]
  %124 = getelementptr i32, ptr %100, i64 %123
  %125 = mul i64 %123, %105
  %126 = getelementptr i32, ptr %96, i64 %125
  br label %134

127:
  %128 = add nuw nsw i64 %116, 16
  %129 = icmp slt i64 %128, %105
  %130 = add nuw i64 %115, 16
  br i1 %129, label %114, label %118

131:
  %132 = add nuw nsw i64 %123, 1
  %133 = icmp eq i64 %132, %113
  br i1 %133, label %127, label %122

134:
  %135 = phi i64 [ %116, %122 ], [ %140, %134 ]
  %136 = getelementptr i32, ptr %126, i64 %135
  %137 = load i32, ptr %136, align 4
  %138 = mul i64 %135, %103
  %139 = getelementptr i32, ptr %124, i64 %138
  store i32 %137, ptr %139, align 4
  %140 = add nuw nsw i64 %135, 1
  %141 = icmp eq i64 %140, %117
  br i1 %141, label %131, label %134

142:
  br i1 %106, label %143, label %324

143:
  %144 = icmp sgt i64 %105, 0
  br label %145

145:
  %146 = phi i64 [ 16, %143 ], [ %156, %153 ]
  %147 = phi i64 [ 0, %143 ], [ %154, %153 ]
  %148 = tail call i64 @llvm.smin.i64(i64 %103, i64 %146)
  br i1 %144, label %149, label %153

149:
  %150 = phi i64 [ %165, %162 ], [ 16, %145 ]
  %151 = phi i64 [ %163, %162 ], [ 0, %145 ]
  %152 = tail call i64 @llvm.smin.i64(i64 %105, i64 %150)
  br label %157

153:
  %154 = add nuw nsw i64 %147, 16
  %155 = icmp slt i64 %154, %103
  %156 = add nuw i64 %146, 16
  br i1 %155, label %145, label %324

157:
  %158 = phi i64 [ %147, %149 ], [ %167, %166 ]
  %159 = getelementptr i64, ptr %100, i64 %158
  %160 = mul i64 %158, %105
  %161 = getelementptr i64, ptr %96, i64 %160
  br label %169

162:
  %163 = add nuw nsw i64 %151, 16
  %164 = icmp slt i64 %163, %105
  %165 = add nuw i64 %150, 16
  br i1 %164, label %149, label %153

166:
  %167 = add nuw nsw i64 %158, 1
  %168 = icmp eq i64 %167, %148
  br i1 %168, label %162, label %157

169:
  %170 = phi i64 [ %151, %157 ], [ %175, %169 ]
  %171 = getelementptr i64, ptr %161, i64 %170
  %172 = load i64, ptr %171, align 8
  %173 = mul i64 %170, %103
  %174 = getelementptr i64, ptr %159, i64 %173
  store i64 %172, ptr %174, align 8
  %175 = add nuw nsw i64 %170, 1
  %176 = icmp eq i64 %175, %152
  br i1 %176, label %166, label %169

177:
  br i1 %106, label %178, label %324

178:
  %179 = icmp sgt i64 %105, 0
  br label %180

180:
  %181 = phi i64 [ 16, %178 ], [ %191, %188 ]
  %182 = phi i64 [ 0, %178 ], [ %189, %188 ]
  %183 = tail call i64 @llvm.smin.i64(i64 %103, i64 %181)
  br i1 %179, label %184, label %188

184:
  %185 = phi i64 [ %200, %197 ], [ 16, %180 ]
  %186 = phi i64 [ %198, %197 ], [ 0, %180 ]
  %187 = tail call i64 @llvm.smin.i64(i64 %105, i64 %185)
  br label %192

188:
  %189 = add nuw nsw i64 %182, 16
  %190 = icmp slt i64 %189, %103
  %191 = add nuw i64 %181, 16
  br i1 %190, label %180, label %324

192:
  %193 = phi i64 [ %182, %184 ], [ %202, %201 ]
  %194 = getelementptr %struct.Pair, ptr %100, i64 %193
  %195 = mul i64 %193, %105
  %196 = getelementptr %struct.Pair, ptr %96, i64 %195
  br label %204

197:
  %198 = add nuw nsw i64 %186, 16
  %199 = icmp slt i64 %198, %105
  %200 = add nuw i64 %185, 16
  br i1 %199, label %184, label %188

201:
  %202 = add nuw nsw i64 %193, 1
  %203 = icmp eq i64 %202, %183
  br i1 %203, label %197, label %192

204:
  %205 = phi i64 [ %186, %192 ], [ %209, %204 ]
  %206 = mul i64 %205, %103
  %207 = getelementptr %struct.Pair, ptr %194, i64 %206
  %208 = getelementptr %struct.Pair, ptr %196, i64 %205
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 %207, ptr align 8 %208, i64 16, i1 false)
  %209 = add nuw nsw i64 %205, 1
  %210 = icmp eq i64 %209, %187
  br i1 %210, label %201, label %204

211:
  %212 = getelementptr inbounds nuw i8, ptr %36, i64 24
  %213 = load i64, ptr %212, align 8
  %214 = getelementptr inbounds ptr, ptr %6, i64 %213
  %215 = load ptr, ptr %214, align 8
  %216 = getelementptr inbounds nuw i8, ptr %36, i64 16
  %217 = load i64, ptr %216, align 8
  %218 = getelementptr inbounds ptr, ptr %6, i64 %217
  %219 = load ptr, ptr %218, align 8
  %220 = load i64, ptr %37, align 8
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 1 %215, ptr align 1 %219, i64 %220, i1 false)
  br label %324

221:
  %222 = phi i64 [ %41, %43 ], [ %237, %221 ]
  %223 = phi i64 [ 0, %43 ], [ %236, %221 ]
  %224 = load i64, ptr %44, align 8
  %225 = getelementptr inbounds ptr, ptr %6, i64 %224
  %226 = load ptr, ptr %225, align 8
  %227 = load i64, ptr %37, align 8
  %228 = add i64 %222, 1
  %229 = mul i64 %228, %223
  %230 = add i64 %229, 1
  %231 = mul i64 %227, %230
  %232 = getelementptr inbounds i8, ptr %226, i64 %231
  %233 = xor i64 %223, -1
  %234 = add i64 %222, %233
  %235 = mul i64 %227, %234
  tail call void @llvm.memset.p0.i64(ptr align 1 %232, i8 0, i64 %235, i1 false)
  %236 = add nuw nsw i64 %223, 1
  %237 = load i64, ptr %40, align 8
  %238 = icmp slt i64 %236, %237
  br i1 %238, label %221, label %324

239:
  %240 = trunc nuw i8 %35 to i1
  br i1 %240, label %324, label %241

241:
  %242 = getelementptr inbounds nuw i8, ptr %36, i64 32
  %243 = load i64, ptr %242, align 8
  %244 = getelementptr inbounds ptr, ptr %6, i64 %243
  %245 = load ptr, ptr %244, align 8
  %246 = getelementptr inbounds nuw i8, ptr %36, i64 16
  %247 = load i64, ptr %246, align 8
  %248 = getelementptr inbounds nuw i8, ptr %36, i64 24
  %249 = load i64, ptr %248, align 8
  %250 = load i64, ptr %37, align 8
  %251 = icmp eq i64 %250, 0
  %252 = icmp slt i64 %247, 1
  br i1 %252, label %324, label %256

253:
  %254 = add nuw nsw i64 %257, 1
  %255 = icmp eq i64 %254, %247
  br i1 %255, label %324, label %256

256:
  %257 = phi i64 [ %254, %253 ], [ 0, %241 ]
  %258 = mul i64 %257, %249
  br i1 %251, label %262, label %259

259:
  %260 = getelementptr inbounds double, ptr %245, i64 %258
  %261 = load double, ptr %260, align 8
  br label %266

262:
  %263 = getelementptr inbounds float, ptr %245, i64 %258
  %264 = load float, ptr %263, align 4
  %265 = fpext float %264 to double
  br label %266

266:
  %267 = phi double [ %261, %259 ], [ %265, %262 ]
  %268 = fsub double %267, %267
  %269 = fcmp oeq double %268, 0.000000e+00
  br i1 %269, label %253, label %324

270:
  %271 = trunc nuw i8 %35 to i1
  br i1 %271, label %272, label %324

272:
  %273 = getelementptr inbounds nuw i8, ptr %36, i64 24
  %274 = load i64, ptr %273, align 8
  %275 = getelementptr inbounds ptr, ptr %6, i64 %274
  %276 = load ptr, ptr %275, align 8
  %277 = getelementptr inbounds nuw i8, ptr %36, i64 16
  %278 = load i64, ptr %277, align 8
  %279 = load i64, ptr %37, align 8
  %280 = icmp eq i64 %279, 0
  %281 = icmp sgt i64 %278, 0
  br i1 %281, label %282, label %324

282:
  %283 = phi i64 [ %289, %288 ], [ 0, %272 ]
  br i1 %280, label %286, label %284

284:
  %285 = getelementptr inbounds nuw double, ptr %276, i64 %283
  store double 0x7FF8000000000000, ptr %285, align 8
  br label %288

286:
  %287 = getelementptr inbounds nuw float, ptr %276, i64 %283
  store float 0x7FF8000000000000, ptr %287, align 4
  br label %288

288:
  %289 = add nuw nsw i64 %283, 1
  %290 = icmp eq i64 %289, %278
  br i1 %290, label %324, label %282

291:
  %292 = load i64, ptr %37, align 8
  %293 = getelementptr inbounds ptr, ptr %6, i64 %292
  %294 = load ptr, ptr %293, align 8
  %295 = getelementptr inbounds nuw i8, ptr %36, i64 16
  %296 = load i64, ptr %295, align 8
  %297 = getelementptr inbounds ptr, ptr %6, i64 %296
  %298 = load ptr, ptr %297, align 8
  %299 = getelementptr inbounds nuw i8, ptr %36, i64 24
  %300 = load i64, ptr %299, align 8
  %301 = getelementptr inbounds nuw i8, ptr %36, i64 32
  %302 = load i64, ptr %301, align 8
  %303 = icmp sgt i64 %302, 0
  br i1 %303, label %306, label %304

304:
  %305 = icmp sgt i64 %300, 0
  br i1 %305, label %312, label %324

306:
  %307 = phi i64 [ %310, %306 ], [ 0, %291 ]
  %308 = trunc i64 %307 to i32
  %309 = getelementptr inbounds nuw i32, ptr %298, i64 %307
  store i32 %308, ptr %309, align 4
  %310 = add nuw nsw i64 %307, 1
  %311 = icmp eq i64 %310, %302
  br i1 %311, label %304, label %306

312:
  %313 = phi i64 [ %322, %312 ], [ 0, %304 ]
  %314 = getelementptr inbounds nuw i32, ptr %294, i64 %313
  %315 = load i32, ptr %314, align 4
  %316 = add i32 %315, -1
  store i32 %316, ptr %314, align 4
  %317 = getelementptr inbounds nuw i32, ptr %298, i64 %313
  %318 = load i32, ptr %317, align 4
  %319 = sext i32 %316 to i64
  %320 = getelementptr inbounds i32, ptr %298, i64 %319
  %321 = load i32, ptr %320, align 4
  store i32 %321, ptr %317, align 4
  store i32 %318, ptr %320, align 4
  %322 = add nuw nsw i64 %313, 1
  %323 = icmp eq i64 %322, %300
  br i1 %323, label %324, label %312

324:
  %325 = phi i64 [ 152, %45 ], [ 32, %211 ], [ 32, %39 ], [ 32, %270 ], [ 40, %239 ], [ 48, %107 ], [ 152, %90 ], [ 40, %266 ], [ 32, %221 ], [ 48, %153 ], [ 48, %177 ], [ 48, %142 ], [ 40, %312 ], [ 40, %304 ], [ 48, %188 ], [ 40, %241 ], [ 48, %118 ], [ 32, %272 ], [ 40, %253 ], [ 32, %288 ]
  %326 = phi i8 [ 1, %45 ], [ %35, %211 ], [ %35, %39 ], [ 0, %270 ], [ 1, %239 ], [ %35, %107 ], [ %91, %90 ], [ 1, %266 ], [ %35, %221 ], [ %35, %153 ], [ %35, %177 ], [ %35, %142 ], [ %35, %312 ], [ %35, %304 ], [ %35, %188 ], [ 0, %241 ], [ %35, %118 ], [ 1, %272 ], [ 0, %253 ], [ 1, %288 ]
  %327 = getelementptr inbounds nuw i8, ptr %36, i64 %325
  br label %34

328:
  %329 = add nsw i64 %31, 1
  %330 = icmp eq i64 %329, %2
  br i1 %330, label %33, label %30

331:
  %332 = phi i64 [ %346, %331 ], [ 0, %30 ]
  %333 = mul i64 %332, 24
  %334 = getelementptr inbounds i8, ptr %10, i64 %333
  %335 = load i64, ptr %334, align 8
  %336 = inttoptr i64 %335 to ptr
  %337 = getelementptr i8, ptr %334, i64 8
  %338 = load i64, ptr %337, align 8
  %339 = mul i64 %338, %31
  %340 = getelementptr inbounds i8, ptr %336, i64 %339
  %341 = getelementptr i8, ptr %334, i64 16
  %342 = load i64, ptr %341, align 8
  %343 = mul i64 %342, %3
  %344 = getelementptr inbounds i8, ptr %340, i64 %343
  %345 = getelementptr inbounds nuw ptr, ptr %6, i64 %332
  store ptr %344, ptr %345, align 8
  %346 = add nuw nsw i64 %332, 1
  %347 = icmp eq i64 %346, %11
  br i1 %347, label %32, label %331
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

declare i64 @llvm.smin.i64(i64, i64)
